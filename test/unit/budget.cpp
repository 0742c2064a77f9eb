// SPDX-License-Identifier: MIT
// A run with a budget: what a step is, and what may come between two runs. The end of a block counts as seven steps.
#include "crowd.hpp"

namespace
{

using unit::block_before;
using unit::crowd_start;
using unit::crowded;

constexpr unsigned in_slot = 40;
constexpr jiffies_t both_blocks[] = {0, unit::block_ticks};

// Timers of one slot of tv2. Their ticks are five, so each slot of tv1 gets eight.
struct crowd {
    explicit crowd(jiffies_t first = crowded)
    {
        for (unsigned i = 0; i < in_slot; ++i) {
            tickwheel_mod_timer(&timers[i], first + i % 5);
        }
    }

    // The runner's answer, and that it has moved no more than so many.
    void run(unsigned budget)
    {
        const unsigned before = in_tv1();
        CHECK_EQ(tickwheel_run_budget(budget), 0u);
        CHECK(in_tv1() - before <= (budget == 0 ? 1 : budget));
        CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    }

    unsigned in_tv1() const
    {
        return unit::in_tv1(timers, in_slot);
    }

    bool fired_in_order() const
    {
        bool in_order = unit::fired == in_slot;
        for (unsigned i = 0; i < in_slot && in_order; ++i) {
            in_order = unit::log[i].timer == &timers[i % 8 * 5 + i / 8];
        }
        return in_order;
    }

    unit::noted timers[in_slot];
};

// The block before has begun, and a run has moved `moved` timers of the crowd: fewer than all of them.
void stop_in_cascade(crowd &of, unsigned moved)
{
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    // The last tick of a block is an empty step.
    of.run(1 + 7 + moved);
    CHECK_EQ(of.in_tv1(), moved);
    // Nothing is late, so nothing is due. The next tick says that there is work.
    CHECK_EQ(tickwheel_due(), 0);
}

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

// requirement: TW-23
TEST_CASE("run_budget(0) does nothing, and an empty tick and the end of a block take steps")
{
    const unit::fresh wheel(crowd_start);
    unit::armed near(block_before - 1);
    unit::armed far(crowded + 5);
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_timer_pending(&near), 1);
    // The callback, and nothing is left for a timer that comes down.
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(far.slot < unit::geometry::tvr_size, false);
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(tickwheel_tick(), 1);
    // The empty tick.
    CHECK_EQ(tickwheel_run_budget(1), 0u);
    CHECK_EQ(far.slot < unit::geometry::tvr_size, false);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(2), 0u);
    CHECK_EQ(far.slot < unit::geometry::tvr_size, true);
    CHECK_EQ(tickwheel_tick(), 0);
    CHECK_EQ(unit::skip_to(crowded + 5), 1u);
    CHECK(unit::fired_in_order({&near, &far}));
    CHECK_EQ(tickwheel_due(), 0);
}

// requirement: TW-24
TEST_CASE("timers that are still above at the end of a block come down before the next one, whatever the budget")
{
    for (const jiffies_t place : both_blocks) {
        for (unsigned budget = 1; budget < 50; ++budget) {
            const unit::fresh wheel(crowd_start);
            crowd all(crowded + place);
            CHECK_EQ(unit::skip_to(block_before + place - 2), 0u);
            // No run in the block: its last tick is due, and a whole cascade with it.
            CHECK_EQ(tickwheel_advance(unit::block_ticks + 1), 1);
            unsigned runs = 0;
            while (tickwheel_due() != 0 && runs < 100) {
                all.run(budget);
                ++runs;
            }
            CHECK_EQ(all.in_tv1(), in_slot);
            // The last tick of the block is an empty step of each call, and each call moves one timer at least. Two
            // blocks end, with seven steps each.
            CHECK(runs <= 17 + in_slot / (budget > 1 ? budget - 1 : 1));
            CHECK_EQ(tickwheel_tick(), 1);
            while (tickwheel_due() != 0) {
                CHECK(tickwheel_run_budget(budget) <= budget);
            }
            CHECK_EQ(unit::fired, 8u);
            CHECK_EQ(unit::pass(4), 32u);
            CHECK(all.fired_in_order());
        }
    }
}

// requirement: TW-05
TEST_CASE("timers are armed, moved and deleted while others come down, and keep their order")
{
    for (const jiffies_t place : both_blocks) {
        for (unsigned moved = 0; moved < in_slot; ++moved) {
            const unit::fresh wheel(crowd_start);
            crowd all(crowded + place);
            CHECK_EQ(unit::skip_to(block_before - 2), 0u);
            CHECK_EQ(tickwheel_tick(), 1);
            CHECK_EQ(tickwheel_run_budget(1 + 7 + moved), 0u);
            unit::armed younger(crowded + place);
            unit::armed overdue(5);
            unit::armed upper(crowded + place + 3 * unit::tv1_ticks);
            // One that has moved, and one that may wait in tv2 still.
            tickwheel_mod_timer(&all.timers[in_slot - 1], crowded + place + 1);
            tickwheel_mod_timer(&all.timers[0], crowded + place + 1);
            CHECK_EQ(tickwheel_timer_delete(&all.timers[5]), 1);
            CHECK_EQ(tickwheel_timer_delete(&all.timers[35]), 1);
            CHECK_EQ(unit::pass(1), 1u);
            CHECK_EQ(unit::skip_to(crowded + place), 6u);
            CHECK(unit::fired_in_order({&overdue, &all.timers[10], &all.timers[15], &all.timers[20], &all.timers[25],
                                        &all.timers[30], &younger}));
            CHECK_EQ(unit::pass(1), 10u);
            CHECK(unit::log[15].timer == &all.timers[in_slot - 1]);
            CHECK(unit::log[16].timer == &all.timers[0]);
            CHECK_EQ(tickwheel_timer_pending(&upper), 1);
            CHECK_EQ(unit::skip_to(crowded + place + 3 * unit::tv1_ticks), 24u);
        }
    }
}

TEST_CASE("the wheel starts again while timers come down")
{
    const unit::fresh wheel(crowd_start);
    {
        crowd all;
        stop_in_cascade(all, 7);
    }
    tickwheel_init(5000);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_due(), 0);
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_event(&tick), 0);
    unit::armed a(5001);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_slots.coming_down, 0u);
}
