// SPDX-License-Identifier: MIT
// A run with a budget: what a step is, and what may come between two runs. The end of a block counts as seven steps.
#include "crowd.hpp"

namespace
{

using unit::block_before;
using unit::crowd_start;
using unit::crowded;

} // namespace

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

// requirement: TW-24
TEST_CASE("a run whose steps end while a late block cascades stops there, and each run moves one timer at least")
{
    const unit::fresh wheel(crowd_start);
    unit::armed far[4] = {unit::armed(crowded), unit::armed(crowded), unit::armed(crowded), unit::armed(crowded)};
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    // Nothing runs in the block before, so all cascade after its last tick.
    CHECK_EQ(tickwheel_advance(unit::block_ticks + 1), 1);
    // Two empty ticks, the end of a block, and two timers. Then the last tick is an empty step of each run.
    struct {
        unsigned budget, cascaded;
    } constexpr runs[] = {{2 + 7 + 2, 2}, {1, 3}, {2, 4}};
    for (const auto &run : runs) {
        CHECK_EQ(tickwheel_due(), 1);
        CHECK_EQ(tickwheel_run_budget(run.budget), 0u);
        CHECK_EQ(unit::in_tv1(far, 4), run.cascaded);
    }
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(unit::pass(1), 4u);
}

TEST_CASE("the wheel starts again while timers cascade")
{
    const unit::fresh wheel(crowd_start);
    {
        unit::armed far[2] = {unit::armed(crowded), unit::armed(crowded)};
        CHECK_EQ(unit::skip_to(block_before - 2), 0u);
        CHECK_EQ(tickwheel_tick(), 1);
        // The empty tick, the end of the block, and one of the two timers.
        CHECK_EQ(tickwheel_run_budget(1 + 7 + 1), 0u);
        CHECK_EQ(unit::in_tv1(far, 2), 1u);
        // Nothing is late, so nothing is due. The next tick says that there is work.
        CHECK_EQ(tickwheel_due(), 0);
    }
    tickwheel_init(5000);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_due(), 0);
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_event(&tick), 0);
    unit::armed a(5001);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_slots.cascading, 0u);
}
