// SPDX-License-Identifier: MIT
// The arithmetic of the ticks: where ticks begin. test/races/sleep compares the time within a tick with a division,
// and has the rest of a tick when the clock changes.
#include <initializer_list>

#include <tickwheel/tick_grid.hpp>

#include "../support/random.hpp"
#include "unit_test.hpp"

namespace
{

using tickwheel::divide;
using tickwheel::tick_grid;
using unit::moment;

static_assert(TICKWHEEL_HZ == 1000, "the tables are for 1000 ticks a second");

constexpr uint32_t all = 0xFFFFFFFF;
constexpr uint32_t max = 0x1000000;

// The clock of DESIGN.md's worked sleep: a tick has 16000.3 counts.
constexpr uint32_t uneven = 16000300;
constexpr tick_grid grid = tick_grid::of(uneven, 1000, max);

// All of it is constexpr: a firmware can have its grid computed by the compiler.
static_assert(grid.fits() && grid.counts(10, 0) == 160003, "ten ticks of 16000.3 counts");

} // namespace

TEST_CASE("tick grid: a clock fits, or does not")
{
    struct row {
        uint32_t clock;
        uint32_t min;
        uint32_t short_tick;
        uint32_t remainder;
        uint32_t longest;
        uint32_t ticks_per_count;
    };
    // longest: 2^24 over the longer tick, or (2^32 - 1 - 1000) over the remainder.
    for (const row &r : {row{16000000, 1000, 16000, 0, 1048, 268435}, row{uneven, 1000, 16000, 300, 1048, 268430},
                         row{1000000, 1000, 1000, 0, 16777, 4294967}, row{999999, 1000, 0, 0, 0, 0},
                         row{2999, 2, 2, 999, 4299265, 1432133143}, row{1999, 2, 0, 0, 0, 0},
                         row{all, 1000, 4294967, 295, 3, 1000}}) {
        const tick_grid got = tick_grid::of(r.clock, r.min, max);
        CHECK_EQ(moment{r.clock, 0, got.short_tick}, moment{r.clock, 0, r.short_tick});
        CHECK_EQ(moment{r.clock, 1, got.remainder}, moment{r.clock, 1, r.remainder});
        CHECK_EQ(moment{r.clock, 2, got.longest}, moment{r.clock, 2, r.longest});
        CHECK_EQ(moment{r.clock, 3, got.ticks_per_count}, moment{r.clock, 3, r.ticks_per_count});
        CHECK(got.fits() == (r.longest != 0));
    }
    // The longest tick has all 24 bits of SysTick, and not one count more.
    CHECK_EQ(tick_grid::of(max, 1000, max / 1000 + 1).longest, 1u);
    CHECK(!tick_grid::of(max, 1000, max / 1000).fits());
    // 2^32 - 1000 is a multiple of this remainder.
    CHECK_EQ(tick_grid::of(2008, 2, all).longest, 536870786u);
}

// Numbers of all magnitudes: short ticks and large remainders are where the reciprocals are least exact.
TEST_CASE("tick grid: random quotients, counts, fractions and whole ticks, against 64-bit arithmetic")
{
    random_numbers numbers;
    const auto any = [&] {
        const uint32_t number = numbers.next();
        return number >> numbers.next() % 32;
    };
    for (unsigned i = 0; i < 50000; ++i) {
        const uint64_t value = uint64_t{any()} << 32 | numbers.next();
        const uint32_t by = any() | 1;
        REQUIRE((divide(value, by).quotient == value / by && divide(value, by).remainder == value % by));
        const uint32_t clock = 2000 + any() % (all - 2000);
        const tick_grid any_grid = tick_grid::of(clock, 2, max);
        if (!any_grid.fits()) {
            continue;
        }
        const uint32_t ticks = 1 + any() % any_grid.longest;
        const uint32_t fraction = numbers.next() % 1000;
        const uint64_t thousandths = uint64_t{ticks} * clock + fraction;
        const uint32_t counts = any_grid.counts(ticks, fraction);
        CHECK_EQ(moment{clock, ticks, counts}, moment{clock, ticks, static_cast<jiffies_t>(thousandths / 1000)});
        CHECK_EQ(moment{clock, ticks, any_grid.fraction_after(ticks, fraction)},
                 moment{clock, ticks, static_cast<jiffies_t>(thousandths % 1000)});
        CHECK_EQ(moment{clock, ticks, any_grid.whole_ticks(counts, fraction)}, moment{clock, ticks, ticks});
        CHECK_EQ(moment{clock, ticks, any_grid.whole_ticks(counts - 1, fraction)}, moment{clock, ticks, ticks - 1});
    }
}

// The numbers of the worked sleep in port/cortex_m_systick/DESIGN.md.
TEST_CASE("tick grid: the worked sleep of DESIGN.md")
{
    CHECK_EQ(grid.fraction_after(100, 0), 0u); // tick 100
    CHECK_EQ(grid.counts(1, 0), 16000u);
    const uint32_t in_101 = grid.fraction_after(1, 0);
    CHECK_EQ(in_101, 300u);
    CHECK_EQ(grid.counts(5, in_101), 80001u); // the long period
    constexpr uint32_t left = 40000;
    const uint32_t passed = 80001 - 1 - left;
    CHECK_EQ(grid.whole_ticks(passed, in_101), 2u);
    CHECK_EQ(grid.fraction_after(2, in_101), 900u); // tick 103
    const uint32_t earlier = 80001 - grid.counts(3, in_101);
    CHECK_EQ(earlier, 32000u);
    constexpr uint32_t cost = 9;
    CHECK_EQ(left - (earlier + cost), 7991u);                      // what restart() writes
    CHECK_EQ(passed + cost + 7991 + 1, grid.counts(3, in_101));    // tick 103 ends where it would have
    CHECK_EQ(grid.counts(1, grid.fraction_after(1, 900)), 16000u); // tick 104
}
