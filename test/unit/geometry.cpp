// SPDX-License-Identifier: MIT
// The shape of a wheel, computed by the compiler: the numbers of some geometries, and the slot of each distance.
#include <tickwheel/geometry.hpp>

#include "unit_test.hpp"

namespace
{

using tickwheel::bytes_of_lists;
using tickwheel::geometry;
using tickwheel::legal_geometry;

static_assert(bytes_of_lists(8, 6) == 513 * 4 + 17 * 4, "all 32 bits");
static_assert(bytes_of_lists(6, 4) == 131 * 4 + 5 * 4, "two slots beyond the range");
static_assert(bytes_of_lists(6, 2) == 83 * 4 + 3 * 4, "two slots beyond the range");
static_assert(bytes_of_lists(8, 5) == 387 * 4 + 13 * 4, "two slots beyond the range");

// What a compiler shows when it refuses a geometry.
constexpr const legal_geometry<8, 6, 32, 2120> *shown_of_8_6 = static_cast<const geometry<8, 6> *>(nullptr);
constexpr const legal_geometry<6, 4, 22, 544> *shown_of_6_4 = static_cast<const geometry<6, 4> *>(nullptr);
static_assert(shown_of_8_6 == nullptr && shown_of_6_4 == nullptr, "both are shown");

static_assert(sizeof(geometry<8, 6>::level) == 4, "a level is one word");
static_assert(geometry<8, 6>::map_words == 17 && geometry<6, 4>::map_words == 5 && geometry<6, 2>::map_words == 3,
              "words of 32 marks");

// The slot of a tick by its distance from the block, level by level.
template <unsigned TvrBits, unsigned TvnBits>
constexpr unsigned slot_by_search(jiffies_t tick, jiffies_t distance)
{
    unsigned shift = TvrBits;
    unsigned first = 1u << TvrBits;
    for (unsigned level = 2; level <= 5; ++level) {
        if (uint64_t{distance} < uint64_t{1} << (shift + TvnBits)) {
            return first + (tick >> shift) % (1u << TvnBits);
        }
        shift += TvnBits;
        first += 1u << TvnBits;
    }
    // Beyond: the range after the block's.
    return first + (((tick - distance) >> shift) + 1) % 2;
}

template <unsigned TvrBits, unsigned TvnBits>
constexpr bool is_right()
{
    using shape = geometry<TvrBits, TvnBits>;
    constexpr unsigned range = TvrBits + 4 * TvnBits;
    constexpr unsigned slots = (1u << TvrBits) + (4u << TvnBits) + (range < 32 ? 2 : 0) + 1;
    bool right = shape::tvr_size == 1u << TvrBits && shape::tvr_mask == shape::tvr_size - 1 &&
                 shape::tvn_size == 1u << TvnBits && shape::range_bits == range &&
                 shape::has_beyond == (range < 32) && shape::slot_count == slots &&
                 shape::tv1_slot(0x12345678) == 0x12345678 % shape::tvr_size;
    // The levels, one above the other.
    typename shape::level level = shape::tv2();
    unsigned shift = TvrBits;
    unsigned first = 1u << TvrBits;
    for (unsigned number = 2; number <= (range < 32 ? 6u : 5u); ++number) {
        const unsigned size = number == 6 ? 2 : 1u << TvnBits;
        right = right && level.exists() && level.shift == shift && level.first_slot == first &&
                level.beyond() == (number == 6) && level.size() == size && level.end() == first + size &&
                level.slot(0x9ABCDEF0) == first + (0x9ABCDEF0 >> shift) % size;
        shift += TvnBits;
        first += 1u << TvnBits;
        level = level.above();
    }
    right =
        right && !level.exists() && shape::tv().shift == TvrBits && shape::template tv<5>().shift == range - TvnBits;
    // Both ends of each level, from blocks in both halves of the range.
    constexpr jiffies_t starts[] = {0, 5, 0x12345678, 0x87654321};
    for (const jiffies_t start : starts) {
        const jiffies_t block = start & ~jiffies_t{shape::tvr_mask};
        for (unsigned bits = TvrBits; bits < 32; ++bits) {
            const jiffies_t ends[] = {jiffies_t{1} << bits, (jiffies_t{2} << bits) - 1};
            for (const jiffies_t distance : ends) {
                right = right && shape::upper_slot(block + distance, distance) ==
                                     slot_by_search<TvrBits, TvnBits>(block + distance, distance);
            }
        }
    }
    return right;
}

static_assert(is_right<8, 6>() && is_right<6, 4>() && is_right<6, 2>() && is_right<8, 2>(), "each level and slot");
static_assert(tickwheel::linux_geometry::slot_count == 513 && tickwheel::linux_small_geometry::slot_count == 131,
              "Linux's two wheels, and staging");

} // namespace
