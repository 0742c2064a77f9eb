// SPDX-License-Identifier: MIT
// The shape of a wheel: two numbers, everything else derived. Level 0 is tv1, level n is tv(n+1); the slots of
// all levels are numbered in one row.
#ifndef TICKWHEEL_GEOMETRY_HPP
#define TICKWHEEL_GEOMETRY_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>

namespace tickwheel
{

/// 2^TvrBits slots of one tick each, then four levels of 2^TvnBits slots, each slot as wide as the level below.
template <unsigned TvrBits, unsigned TvnBits>
struct geometry {
    static_assert(TvrBits >= 5 && TvrBits <= 8, "tv1 has 32 to 256 slots: whole words of its bitmap");
    static_assert(TvnBits >= 2 && TvnBits <= 6, "tv2..tv5 have 4 to 64 slots: at most two words of a bitmap each");

    static constexpr unsigned tvr_size = 1u << TvrBits;
    static constexpr unsigned tvr_mask = tvr_size - 1;
    static constexpr unsigned tvn_size = 1u << TvnBits;

    /// log2 of the ticks that tv1..tv5 cover.
    static constexpr unsigned range_bits = TvrBits + 4 * TvnBits;
    static_assert(range_bits <= 32, "tv5 must not reach beyond the 32 bits of jiffies");

    /// A wheel that covers less than 2^32 ticks has a sixth level of two slots, as wide as its whole range: timers
    /// beyond the range wait in one of them and are looked at again when the next range begins.
    static constexpr bool has_beyond = range_bits < 32;
    static constexpr unsigned levels = has_beyond ? 6 : 5;
    static constexpr unsigned beyond = 5;

    static constexpr unsigned slot_count = tvr_size + 4 * tvn_size + (has_beyond ? 2 : 0);
    static constexpr unsigned map_words = (slot_count + 31) / 32;

    /// log2 of the ticks that one slot of a level above tv1 covers.
    static constexpr unsigned shift(unsigned level)
    {
        return TvrBits + (level - 1) * TvnBits;
    }

    /// The number of the first slot of a level above tv1.
    static constexpr unsigned base(unsigned level)
    {
        return tvr_size + (level - 1) * tvn_size;
    }

    /// How many slots a level above tv1 has: a power of two.
    static constexpr unsigned size(unsigned level)
    {
        return has_beyond && level == beyond ? 2 : tvn_size;
    }

    /// Which slot of a level above tv1 the tick belongs to, counted within the level.
    static constexpr unsigned index(unsigned level, jiffies_t tick)
    {
        return (tick >> shift(level)) & (size(level) - 1);
    }

    /// The slot of a tick in tv1, of which every slot is one tick.
    static constexpr unsigned tv1_slot(jiffies_t tick)
    {
        return tick & tvr_mask;
    }

    /// The slot above tv1 for a tick that lies `distance` ticks after the start of the current block; at least a
    /// block.
    template <unsigned Level = 1>
    static constexpr unsigned upper_slot(jiffies_t tick, jiffies_t distance)
    {
        if constexpr (Level == beyond) {
            // The next range's slot, whatever the tick: tick - distance is the block, and adding a whole range to
            // it flips the one bit of the index.
            return base(Level) + index(Level, tick - distance + (jiffies_t{1} << range_bits));
        } else {
            if constexpr (Level + 1 < levels) {
                // shift(Level + 1) is at most 26 where there are five levels and range_bits < 32 where there are six.
                if (distance >> shift(Level + 1) != 0) {
                    return upper_slot<Level + 1>(tick, distance);
                }
            }
            return base(Level) + index(Level, tick);
        }
    }
};

using linux_geometry = geometry<8, 6>;
using linux_small_geometry = geometry<6, 4>;

} // namespace tickwheel

#endif
