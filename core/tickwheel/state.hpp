// SPDX-License-Identifier: MIT
/// @file
/// The state of a wheel: a clock of 16 bytes, and the slots. Debuggers and tools read it by these names.
#ifndef TICKWHEEL_STATE_HPP
#define TICKWHEEL_STATE_HPP

#include <stdint.h>

#include <tickwheel/shared_word.hpp>
#include <tickwheel/slots.hpp>

namespace tickwheel
{

/// The time of a wheel. It is constant-initialised, and the only part of a wheel that is not zero at reset.
struct wheel_clock {
    /// Ticks counted. Only tick, advance and init write it.
    shared_word jiffies;
    /// No later than the next tick with work, nor than the last tick of the block (I3).
    shared_word next_event;
    /// The first tick of the current block: the tvr_size ticks whose timers are in tv1 (I4).
    jiffies_t block;
    /// How often the top bit of `block` has changed, counting from tick 0; its lowest bit is that top bit (I9).
    shared_word half_wraps;

    /// The clock of an empty wheel that has counted up to `start`.
    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t block = (start + 1) & ~block_mask;
        return {start, block + block_mask, block, (start >> 31) + ((start ^ (start + 1)) >> 31)};
    }

    /// True when the runner has work: its next event is a tick that was counted.
    bool due() const
    {
        return tickwheel_time_after_eq(jiffies, next_event);
    }

    /// The tick in 64 bits, from any context. It takes no lock.
    uint64_t jiffies_64() const
    {
        // The half-wraps are read first. If the runner passes another one before the tick is read, the tick is in the
        // half that was read or in the next one (I9). The tick after `jiffies` is never before the block.
        const uint32_t halves = half_wraps;
        const jiffies_t upcoming = jiffies + 1;
        const uint32_t upper = (halves + ((halves ^ upcoming >> 31) & 1)) >> 1;
        return (static_cast<uint64_t>(upper) << 32 | upcoming) - 1;
    }

    /// The block moves on by `ticks`, a whole number of blocks below 2^31 + tvr_size. Its top bit flips at most once.
    void move_block(jiffies_t ticks)
    {
        const jiffies_t before = block;
        block = before + ticks;
        if ((before ^ (before + ticks)) >> 31 != 0) {
            half_wraps = half_wraps + 1;
        }
    }
};

/// Lists and marks: all zero at reset.
template <class Geometry>
struct wheel_slots : slots<Geometry> {
    /// Null while nobody runs the wheel; else the timer whose callback runs or is about to, or runner_mark().
    timer_list *running;

    /// A runner that is between two callbacks: no timer's address.
    timer_list *runner_mark()
    {
        return reinterpret_cast<timer_list *>(this);
    }

    /// Forgets every timer. None may be pending or running.
    void reset()
    {
        // volatile keeps the compiler from turning the loop into memset().
        for (timer_list *volatile &oldest : this->first) {
            oldest = nullptr;
        }
        for (shared_word &word : this->marks.words) {
            word = 0;
        }
    }
};

/// Keeps a wheel's state inside the wheel. A static wheel then has an image in flash, all zeros but for 16 bytes. A
/// Storage that returns two separate objects avoids that image: tickwheel.cpp has one for the default wheel.
template <class Geometry>
class wheel_storage {
protected:
    /// @{ The two parts of it.
    wheel_clock &clock()
    {
        return clock_;
    }
    wheel_slots<Geometry> &lists()
    {
        return lists_;
    }
    /// @}

private:
    wheel_clock clock_ = wheel_clock::at(TICKWHEEL_INITIAL_JIFFIES, Geometry::tvr_mask);
    wheel_slots<Geometry> lists_ = {};
};

/// The geometry of the wheel behind the C face.
using default_geometry = geometry<TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS>;

} // namespace tickwheel

/// The state of the wheel behind the C face. `jiffies` is the clock's first word.
extern "C" {
extern tickwheel::wheel_clock tickwheel_clock;
extern tickwheel::wheel_slots<tickwheel::default_geometry> tickwheel_slots;
}

#endif
