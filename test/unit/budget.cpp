// SPDX-License-Identifier: MIT
// A run with a budget: what a step is, and what may come between two runs.
#include "support.hpp"

// requirement: TW-23
TEST_CASE("run_budget runs at most n callbacks; the rest stay due, in order, pending and cancellable")
{
    const unit::fresh wheel(300);
    unit::noted timers[6];
    for (unit::noted &timer : timers) {
        tickwheel_mod_timer(&timer, 301);
    }
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_run_budget(2), 2u);
    CHECK_EQ(tickwheel_timer_pending(&timers[2]), 1);
    CHECK_EQ(tickwheel_timer_delete(&timers[3]), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_run_budget(100), 2u);
    CHECK(unit::fired_in_order({&timers[0], &timers[1], &timers[2], &timers[4], &timers[5]}));
    CHECK_EQ(tickwheel_tick(), 0);
}
