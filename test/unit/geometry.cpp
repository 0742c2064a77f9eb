// SPDX-License-Identifier: MIT
// The shape of a wheel, computed by the compiler: the numbers of some geometries, and the slot of each distance.
#include <wheel/geometry.hpp>

#include "unit_test.hpp"

namespace
{

using tickwheel::bytes_of_slots;
using tickwheel::geometry;
using tickwheel::legal_geometry;

static_assert(bytes_of_slots(8, 6) == 576 * 4 + 18 * 4, "all 32 bits");
static_assert(bytes_of_slots(6, 4) == 146 * 4 + 5 * 4, "two slots beyond the range");
static_assert(bytes_of_slots(6, 2) == 86 * 4 + 3 * 4, "two slots beyond the range");
static_assert(bytes_of_slots(8, 5) == 418 * 4 + 14 * 4, "two slots beyond the range");

// What a compiler shows when it refuses a geometry.
constexpr const legal_geometry<8, 6, 32, 2376> *shown_of_8_6 = static_cast<const geometry<8, 6> *>(nullptr);
constexpr const legal_geometry<6, 4, 22, 604> *shown_of_6_4 = static_cast<const geometry<6, 4> *>(nullptr);
static_assert(shown_of_8_6 == nullptr && shown_of_6_4 == nullptr, "both are shown");

static_assert(sizeof(geometry<8, 6>::tv2()) == 4 && sizeof(geometry<8, 6>::level) == 4, "a level is one word");
static_assert(geometry<8, 6>::map_words == 18 && geometry<6, 4>::map_words == 5 && geometry<6, 2>::map_words == 3,
              "words of 32 marks");

// A level: the bits of a tick that are its slot's number, and the first slot.
struct expected_level {
    unsigned shift;
    unsigned size;
    unsigned first;
};
template <unsigned TvrBits, unsigned TvnBits>
constexpr expected_level expected(unsigned number)
{
    constexpr unsigned tvn_size = 1u << TvnBits;
    if (number == 2) {
        // A list for each block.
        return {TvrBits - 1, 2 * tvn_size, 1u << TvrBits};
    }
    return {TvrBits + (number - 2) * TvnBits, number == 6 ? 2 : tvn_size, (1u << TvrBits) + (number - 1) * tvn_size};
}

// The slot of a tick by its distance from the base, level by level.
template <unsigned TvrBits, unsigned TvnBits>
constexpr unsigned slot_by_search(jiffies_t tick, jiffies_t distance)
{
    constexpr unsigned range = TvrBits + 4 * TvnBits;
    for (unsigned number = 2; number <= 5; ++number) {
        const expected_level here = expected<TvrBits, TvnBits>(number);
        const bool last = number == 5 && range >= 31;
        if (last || uint64_t{distance} < uint64_t{here.size} << here.shift) {
            return here.first + (tick >> here.shift) % here.size;
        }
    }
    // Beyond: the range after the base's.
    return expected<TvrBits, TvnBits>(6).first + (((tick - distance) >> range % 32) + 1) % 2;
}

template <unsigned TvrBits, unsigned TvnBits, class Level>
constexpr bool level_is_right(Level level, unsigned number)
{
    const expected_level should = expected<TvrBits, TvnBits>(number);
    return level.exists() && level.shift == should.shift && level.first_slot == should.first &&
           level.beyond() == (number == 6) && level.size() == should.size &&
           level.end() == should.first + should.size &&
           level.slot(0x9ABCDEF0) == should.first + (0x9ABCDEF0 >> should.shift) % should.size;
}

template <unsigned TvrBits, unsigned TvnBits>
constexpr bool is_right()
{
    using shape = geometry<TvrBits, TvnBits>;
    constexpr unsigned range = TvrBits + 4 * TvnBits;
    constexpr unsigned slots = (1u << TvrBits) + (5u << TvnBits) + (range < 31 ? 2 : 0);
    bool right = shape::tvr_size == 1u << TvrBits && shape::tvr_mask == shape::tvr_size - 1 &&
                 shape::block_size == shape::tvr_size / 2 && shape::block_mask == shape::block_size - 1 &&
                 shape::tvn_size == 1u << TvnBits && shape::range_bits == range &&
                 shape::has_beyond == (range < 31) && shape::slot_count == slots &&
                 shape::tv1_slot(0x12345678) == 0x12345678 % shape::tvr_size;
    // The levels, one above the other.
    right = right && level_is_right<TvrBits, TvnBits>(shape::tv2(), 2);
    typename shape::level level = shape::tv2().above();
    for (unsigned number = 3; number <= (range < 31 ? 6u : 5u); ++number) {
        right = right && level_is_right<TvrBits, TvnBits>(level, number);
        level = level.above();
    }
    right = right && !level.exists() && shape::template tv<2>().shift == TvrBits - 1 &&
            shape::template tv<5>().shift == range - TvnBits;
    // Both ends of each level, from bases in both halves of the range.
    constexpr jiffies_t starts[] = {0, 5, 0x12345678, 0x87654321};
    for (const jiffies_t start : starts) {
        const jiffies_t base = start & ~jiffies_t{shape::block_mask};
        for (unsigned bits = TvrBits - 1; bits < 32; ++bits) {
            const jiffies_t ends[] = {jiffies_t{1} << bits, (jiffies_t{2} << bits) - 1};
            for (const jiffies_t distance : ends) {
                right = right && shape::upper_slot(base + distance, distance) ==
                                     slot_by_search<TvrBits, TvnBits>(base + distance, distance);
            }
        }
    }
    return right;
}

static_assert(is_right<8, 6>() && is_right<7, 5>() && is_right<6, 4>() && is_right<6, 2>() && is_right<8, 2>(),
              "each level and slot");
static_assert(tickwheel::linux_geometry::slot_count == 576 && tickwheel::linux_small_geometry::slot_count == 146,
              "Linux's two wheels, with a slot of tv2 for each block");

} // namespace
