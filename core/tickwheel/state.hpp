// SPDX-License-Identifier: MIT
/// @file
/// What a wheel consists of: a clock of 16 bytes, and the slots. Debuggers and tools read it by these names.
#ifndef TICKWHEEL_STATE_HPP
#define TICKWHEEL_STATE_HPP

#include <stdint.h>

#include <tickwheel/shared_word.hpp>
#include <tickwheel/slots.hpp>

namespace tickwheel
{

/// What a wheel knows of time. Constant-initialised: the only part of a wheel that is not zero at reset.
struct wheel_clock {
    /// Ticks counted. Written by tick, advance and init alone.
    shared_word jiffies;
    /// No later than the next tick with work, nor than the last tick of the block (I3).
    shared_word next_event;
    /// The first tick of the current block: the tvr_size ticks whose timers are in tv1 (I4).
    jiffies_t block;
    /// How often the top bit of `block` has changed, counting from tick 0; its lowest bit is that top bit (I9).
    shared_word half_wraps;

    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t block = (start + 1) & ~block_mask;
        return {start, block + block_mask, block, (start >> 31) + ((start ^ (start + 1)) >> 31)};
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
};

/// Where a wheel keeps its state: in itself. A static one has its image in flash, of which all but 16 bytes are
/// zeros; a Storage that hands out two objects, as tickwheel.cpp does for the default wheel, avoids that.
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
