// SPDX-License-Identifier: MIT
// The time of a wheel: the ticks that were counted, and the limits between which the runner and the arms work.
#ifndef TICKWHEEL_CLOCK_HPP
#define TICKWHEEL_CLOCK_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>
#include <tickwheel/lock.hpp>

namespace tickwheel
{

/// The time of a wheel. It is constant-initialised, and the only part of a wheel that is not zero at reset.
struct wheel_clock {
    /// Ticks counted. Only tick, advance, init and start write it.
    shared_word jiffies;
    /// Never after the next tick with work, nor after the last tick of the block (I3).
    shared_word next_run;
    /// The first tick that must not go into tv1: one turn of tv1 after the last tick that was begun, or two blocks
    /// after the first tick of the current block if that is later. Only the runner writes it, and it only grows
    /// (I4).
    jiffies_t tv1_limit;
    /// The first tick of the next block. The upper levels are measured from here. The current block is the one
    /// before.
    jiffies_t next_block;
    /// The number of halves of the range of `jiffies` up to the current block. Its lowest bit is bit 31 of the
    /// block's ticks (I9).
    shared_word jiffies_halves;

    /// The clock of an empty wheel that has counted up to `start`.
    static constexpr wheel_clock at(jiffies_t start, jiffies_t block_mask)
    {
        const jiffies_t next_block = ((start + 1) | block_mask) + 1;
        return {start, next_block - 1, next_block + block_mask + 1, next_block,
                (start >> 31) + ((start ^ (start + 1)) >> 31)};
    }

    /// True when the runner has work: its next event is a tick that was counted.
    bool due() const
    {
        return tickwheel_time_after_eq(jiffies, next_run);
    }

    /// The tick in 64 bits, from any context. It takes no lock.
    uint64_t jiffies_64() const
    {
        // The halves are read first. If the runner passes another one before the tick is read, the tick is in the
        // half that was read or in the next one (I9). The tick after `jiffies` is never before the block.
        const uint32_t halves = jiffies_halves;
        const jiffies_t upcoming = jiffies + 1;
        const uint32_t upper = (halves + ((halves ^ upcoming >> 31) & 1)) >> 1;
        return (static_cast<uint64_t>(upper) << 32 | upcoming) - 1;
    }

    /// Passes `ticks`, a whole number of blocks and at most 2^31. The top bit of the block's ticks flips at most
    /// once.
    void pass_blocks(jiffies_t ticks, jiffies_t block_mask)
    {
        const jiffies_t before = next_block;
        const jiffies_t after = before + ticks;
        next_block = after;
        tv1_limit = after + block_mask + 1;
        if (((before - 1) ^ (after - 1)) >> 31 != 0) {
            jiffies_halves = jiffies_halves + 1;
        }
    }
};

/// @{ The time of a geometry.
template <class Geometry>
struct clock_types {
    using type = wheel_clock;
};
template <class Geometry>
using clock_of = typename clock_types<Geometry>::type;
/// @}

} // namespace tickwheel

#endif
