// SPDX-License-Identifier: MIT
// The shape of a wheel, computed by the compiler: its size, and what a compiler shows of it. geometries_host.cpp arms
// timers at each distance in all geometries, and test/proof/wheel shows which slot they must get.
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
static_assert(geometry<7, 5>::tv2().first_slot == 128 + 3 * 32, "levels of 32 slots are numbered downwards");
static_assert(geometry<8, 6>::tv1().shift == 0 && geometry<8, 6>::tv1().first_slot == 0, "a slot for each tick");
static_assert(level_of_four{0, 60}.fits_words() && !level_of_four{0, 61}.fits_words(),
              "it lies in one word, or in two");
static_assert(level_of_64{0, 64}.fits_words() && !level_of_64{0, 80}.fits_words(),
              "it is whole words, or parts of them");

static_assert(tickwheel::linux_geometry::slot_count == 576 && tickwheel::linux_small_geometry::slot_count == 146,
              "Linux's two wheels, with a slot of tv2 for each block");

} // namespace
