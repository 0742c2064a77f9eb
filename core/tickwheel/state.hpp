// SPDX-License-Identifier: MIT
/// @file
/// The state of a wheel: a clock of 20 bytes, and the slots. Debuggers and tools read it by these names.
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
    /// The first tick that tv1 must not take: a turn after the last tick that was begun, at most two blocks after
    /// the block began. Only the runner writes it, and it only grows (I4).
    jiffies_t window;
    /// The first tick of the next block. The upper levels are measured from here. The current block is the one
    /// before.
    jiffies_t base;
    /// How often the top bit of the block's ticks has changed, counting from tick 0; its lowest bit is that top bit
    /// (I9).
    shared_word half_wraps;

    /// The clock of an empty wheel that has counted up to `start`.
    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t base = ((start + 1) | block_mask) + 1;
        return {start, base - 1, base + block_mask + 1, base, (start >> 31) + ((start ^ (start + 1)) >> 31)};
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

    /// The block moves on by `ticks`, a whole number of blocks, at most 2^31. Its top bit flips at most once.
    void move_block(jiffies_t ticks, jiffies_t block_mask)
    {
        const jiffies_t before = base;
        const jiffies_t after = before + ticks;
        base = after;
        window = after + block_mask + 1;
        if (((before - 1) ^ (after - 1)) >> 31 != 0) {
            half_wraps = half_wraps + 1;
        }
    }
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
