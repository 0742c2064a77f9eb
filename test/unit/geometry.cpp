// SPDX-License-Identifier: MIT
// The shape of a wheel, computed by the compiler: the numbers of some geometries. geometries_host.cpp arms timers at
// each distance in all of them, and test/proof/wheel shows which slot they must get.
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

// These are the types that a compiler shows when it refuses a geometry.
constexpr const legal_geometry<8, 6, 32, 2376> *shown_of_8_6 = static_cast<const geometry<8, 6> *>(nullptr);
constexpr const legal_geometry<6, 4, 22, 604> *shown_of_6_4 = static_cast<const geometry<6, 4> *>(nullptr);
static_assert(shown_of_8_6 == nullptr && shown_of_6_4 == nullptr, "both are shown");

static_assert(sizeof(geometry<8, 6>::tv2()) == 4 && sizeof(geometry<8, 6>::level) == 4, "a level is one word");
static_assert(geometry<8, 6>::bitmap_words == 18 && geometry<6, 4>::bitmap_words == 5 &&
                  geometry<6, 2>::bitmap_words == 3,
              "words of 32 marks");

using level_of_four = geometry<6, 2>::level;
using level_of_64 = geometry<8, 6>::level;
struct straddling {
    static constexpr auto tv2 = [] { return level_of_four{7, 58}; };
};
static_assert(!tickwheel::levels_fit_words<straddling>(), "its tv3 begins at slot 62");
static_assert(geometry<8, 6>::tv1().shift == 0 && geometry<8, 6>::tv1().first_slot == 0, "a slot for each tick");
static_assert(level_of_four{0, 60}.fits_words() && !level_of_four{0, 61}.fits_words(),
              "it lies in one word, or in two");
static_assert(level_of_64{0, 64}.fits_words() && !level_of_64{0, 80}.fits_words(),
              "it is whole words, or parts of them");

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
    // Levels of 32 slots or more are numbered from tv5 down to tv2, others from tv2 up.
    constexpr bool down = tvn_size >= 32;
    if (number == 2) {
        // A list for each block.
        return {TvrBits - 1, 2 * tvn_size, (1u << TvrBits) + (down ? 3 * tvn_size : 0)};
    }
    const unsigned before = number == 6 ? 5 : down ? 5 - number : number - 1;
    return {TvrBits + (number - 2) * TvnBits, number == 6 ? 2 : tvn_size, (1u << TvrBits) + before * tvn_size};
}

template <unsigned TvrBits, unsigned TvnBits, class Level>
constexpr bool level_is_right(Level level, unsigned number)
{
    const expected_level should = expected<TvrBits, TvnBits>(number);
    return level.exists() && level.shift == should.shift && level.first_slot == should.first &&
           level.overflow() == (number == 6) && level.size() == should.size &&
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
                 shape::has_overflow == (range < 31) && shape::slot_count == slots &&
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
    return right;
}

static_assert(is_right<8, 6>() && is_right<7, 5>() && is_right<6, 4>() && is_right<6, 2>() && is_right<8, 2>(),
              "each level");
static_assert(tickwheel::linux_geometry::slot_count == 576 && tickwheel::linux_small_geometry::slot_count == 146,
              "Linux's two wheels, with a slot of tv2 for each block");

} // namespace
