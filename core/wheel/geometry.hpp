// SPDX-License-Identifier: MIT
/// @file
/// The shape of a wheel: two numbers, and what follows from them. The slots of all levels are numbered in one row.
#ifndef TICKWHEEL_GEOMETRY_HPP
#define TICKWHEEL_GEOMETRY_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>

namespace tickwheel
{

/// Bytes of a wheel's slots and bitmaps with pointers of 4 bytes: 4 bytes and one bit for each slot.
constexpr unsigned bytes_of_slots(unsigned tvr_bits, unsigned tvn_bits)
{
    const unsigned slots = (1u << tvr_bits) + (5u << tvn_bits) + (tvr_bits + 4 * tvn_bits < 31 ? 2 : 0);
    return slots * 4 + (slots + 31) / 32 * 4;
}

/// The limits of a geometry. A compiler that refuses one shows these four numbers: the two choices, log2 of the ticks
/// that tv1..tv5 cover, and the bytes of its slots and bitmaps.
template <unsigned TvrBits, unsigned TvnBits, unsigned RangeBits, unsigned SlotBytes>
struct legal_geometry {
    static_assert(TvrBits >= 6 && TvrBits <= 8, "tv1 has 64 to 256 slots: a half of it is whole words of its bitmap");
    static_assert(TvnBits >= 2 && TvnBits <= 6, "tv3..tv5 have 4 to 64 slots each");
    static_assert(RangeBits <= 32, "tv5 must not reach beyond the 32 bits of jiffies");
    // A delay and a lag together can place a timer up to 2^32 - 3 ticks after the next block. In a wheel of
    // exactly 2^31 ticks, a timer beyond the range would move back into the slot that cascades, for ever.
    static_assert(RangeBits != 31, "tv5 must reach all 2^32 ticks, or less than 2^31");
};

/// tv1 has 2^TvrBits slots of one tick each, tv2 has 2^(TvnBits + 1) slots of one block each, and tv3..tv5 have
/// 2^TvnBits slots each, which are as wide as the level below. Linux's geometry has 256 + 64 x 4 slots, and here 576,
/// because each slot of its tv2 is two: one for each of its two blocks of 128 ticks. All slots are numbered in one
/// row: tv1, then tv5 down to tv2 if tv3..tv5 have 32 slots or more, because a Cortex-M0 adds at most 510 without
/// another register. Smaller levels are numbered upwards, because downwards a tv2 of 32 slots would lie in two words
/// of the bitmap.
template <unsigned TvrBits, unsigned TvnBits>
struct geometry : legal_geometry<TvrBits, TvnBits, TvrBits + 4 * TvnBits, bytes_of_slots(TvrBits, TvnBits)> {

    /// The slots of tv1. Each is one tick.
    static constexpr unsigned tvr_size = 1u << TvrBits;
    /// The bits of a tick that are its slot in tv1.
    static constexpr unsigned tvr_mask = tvr_size - 1;
    /// The ticks of a block: the timers that cascade to tv1 at a time.
    static constexpr unsigned block_size = tvr_size / 2;
    /// The bits of a tick that give its place in its block.
    static constexpr unsigned block_mask = block_size - 1;
    /// The slots of each of tv3..tv5.
    static constexpr unsigned tvn_size = 1u << TvnBits;

    /// log2 of the ticks that tv1..tv5 cover.
    static constexpr unsigned range_bits = TvrBits + 4 * TvnBits;

    /// A wheel that covers less than 2^31 ticks has an overflow level of two slots, each as wide as the whole
    /// range. A timer beyond the range waits in one of them, which cascades when the next range begins.
    static constexpr bool has_overflow = range_bits < 31;
    /// True if tv5 comes before tv2 in the row.
    static constexpr bool downwards = tvn_size >= 32;
    /// All slots.
    static constexpr unsigned slot_count = tvr_size + 5 * tvn_size + (has_overflow ? 2 : 0);
    /// 32-bit words of the bitmap.
    static constexpr unsigned bitmap_words = (slot_count + 31) / 32;

    /// The slot of a tick in tv1.
    static constexpr unsigned tv1_slot(jiffies_t tick)
    {
        return tick & tvr_mask;
    }

    /// A level of at most Size slots.
    template <unsigned Size>
    struct basic_level {
        // Bit-fields keep a level in one word. GCC at -Og copies two words by memcpy() on cores without unaligned
        // loads.
        /// log2 of the ticks that one slot covers.
        unsigned shift : 16;
        unsigned first_slot : 16;

        constexpr bool exists() const
        {
            return shift < (has_overflow ? range_bits + 1 : range_bits);
        }
        constexpr bool overflow() const
        {
            return has_overflow && shift == range_bits;
        }
        constexpr unsigned size() const
        {
            return overflow() ? 2 : Size;
        }
        /// The number of a tick's slot in the level.
        [[gnu::always_inline]] constexpr unsigned index(jiffies_t tick) const
        {
            return tick >> shift & (size() - 1);
        }
        constexpr unsigned slot(jiffies_t tick) const
        {
            return first_slot + index(tick);
        }
        /// Its marks are whole words of the bitmap, or lie in one. A search relies on it.
        constexpr bool fits_words() const
        {
            return first_slot % 32 + size() <= 32 || (first_slot % 32 == 0 && size() % 32 == 0);
        }
        /// The next level. Each of its slots begins where a slot of this one does.
        constexpr basic_level<tvn_size> above() const
        {
            const unsigned next = shift + (Size == tvn_size ? TvnBits : TvnBits + 1);
            const unsigned first = has_overflow && next == range_bits ? slot_count - 2
                                   : downwards                        ? first_slot - tvn_size
                                                                      : first_slot + Size;
            return {next & 0xFFFF, first & 0xFFFF};
        }
    };
    /// tv3, tv4, tv5, and the overflow level.
    using level = basic_level<tvn_size>;

    /// tv1: a slot for each tick.
    static constexpr basic_level<tvr_size> tv1()
    {
        return {0, 0};
    }
    /// tv2: a slot for each block.
    static constexpr basic_level<2 * tvn_size> tv2()
    {
        return {TvrBits - 1, downwards ? tvr_size + 3 * tvn_size : tvr_size};
    }
    /// tv2, tv3, .. tv5, and 6 for the overflow level.
    template <unsigned Number>
    static constexpr auto tv()
    {
        if constexpr (Number == 2) {
            return tv2();
        } else {
            return tv<Number - 1>().above();
        }
    }

    /// The slot of tv(Number) or above for a tick that is `distance` ticks after the next block. The distance is at
    /// least the range of the levels below: for tv2 a block.
    template <unsigned Number = 2>
    [[gnu::always_inline]] static constexpr unsigned upper_slot(jiffies_t tick, jiffies_t distance)
    {
        constexpr auto here = tv<Number>();
        if constexpr (here.overflow()) {
            // Always the next range's slot: tick - distance is the next block, and adding a whole range to it flips
            // the one bit of the index.
            return here.slot(tick - distance + (jiffies_t{1} << range_bits));
        } else {
            if constexpr (here.above().exists()) {
                // A level that exists begins below 2^31.
                if (distance >> here.above().shift != 0) {
                    return upper_slot<Number + 1>(tick, distance);
                }
            }
            return here.slot(tick);
        }
    }
};

/// Whether fits_words() holds for every level.
template <class Geometry>
constexpr bool levels_fit_words()
{
    bool fit = Geometry::tv2().fits_words();
    for (auto above = Geometry::tv2().above(); above.exists(); above = above.above()) {
        fit = fit && above.fits_words();
    }
    return fit;
}

/// Linux's 256 + 64 x 4 slots, for all 2^32 ticks.
using linux_geometry = geometry<8, 6>;
/// Linux's with CONFIG_BASE_SMALL: 64 + 16 x 4 slots, for 2^22 ticks; later timers cascade from the overflow level.
using linux_small_geometry = geometry<6, 4>;

} // namespace tickwheel

#endif
