// SPDX-License-Identifier: MIT
// The wheel as it lies in memory at reset, before any call.
#include "support.hpp"
#include <tickwheel/timer.h>

namespace
{

DEFINE_TIMER(armed_by_a_constructor, unit::note);
DEFINE_TIMER(armed_before_main, unit::note);

struct constructed_early {
    constructed_early()
    {
        // Between the reset and main, in no chosen order.
        returned = tickwheel_mod_timer(&armed_by_a_constructor, jiffies + 2);
    }
    int returned;
};

#ifdef TICKWHEEL_TEST_HOST
// A board need not run constructors; a PC does.
const constructed_early early;
#endif

jiffies_t first_jiffies;
uint64_t first_jiffies_64;
int first_tick;
unsigned fired_early;
unsigned wanted_early;
bool empty_at_first;

} // namespace

namespace unit
{

void look_before_main()
{
    first_jiffies = now();
    first_jiffies_64 = tickwheel_get_jiffies_64();
#ifdef TICKWHEEL_TEST_HOST
    empty_at_first = next_from_now() == 2 && early.returned == 0;
    wanted_early = 2;
#else
    empty_at_first = next_from_now() == none;
    wanted_early = 1;
#endif
    first_tick = tickwheel_tick();
    tickwheel_mod_timer(&armed_before_main, now() + 1);
    fired_early = pass(600);
}

} // namespace unit

TEST_CASE("at reset the clock is five minutes before the wrap, upper half 0")
{
    CHECK_EQ(first_jiffies, jiffies_t{0u - 300u * TICKWHEEL_HZ});
    CHECK_EQ(first_jiffies, jiffies_t{INITIAL_JIFFIES});
    CHECK_EQ(first_jiffies_64, uint64_t{0u - 300u * TICKWHEEL_HZ});
}

TEST_CASE("a static timer can be armed before main and fires without any initialisation")
{
    CHECK(empty_at_first);
    CHECK((first_tick == 0 || (INITIAL_JIFFIES + 2) % unit::block_ticks == 0));
    CHECK_EQ(fired_early, wanted_early);
    CHECK_EQ(timer_pending(&armed_before_main), 0);
}
