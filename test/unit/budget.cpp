// SPDX-License-Identifier: MIT
// A run with a budget: what a step is, and what may come between two runs. The end of a block counts as seven steps,
// and its last tick is an empty one.
#include "support.hpp"

namespace
{

constexpr unsigned in_slot = 40;
constexpr unsigned steps_of_end = 8;
constexpr jiffies_t start = 3 * unit::block_ticks;
constexpr jiffies_t next_block = start + unit::block_ticks;

// Timers of the next block: one slot of tv2. Their ticks are five, so each slot of tv1 gets eight.
struct crowd {
    crowd()
    {
        for (unsigned i = 0; i < in_slot; ++i) {
            tickwheel_mod_timer(&timers[i], next_block + i % 5);
        }
    }

    // The runner's answer, and that it has moved no more than so many.
    void run(unsigned budget)
    {
        const unsigned before = in_tv1();
        CHECK_EQ(tickwheel_run_budget(budget), 0u);
        CHECK(in_tv1() - before <= budget);
        CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    }

    unsigned in_tv1() const
    {
        unsigned count = 0;
        for (const unit::noted &timer : timers) {
            count += tickwheel_timer_pending(&timer) != 0 && timer.slot < unit::geometry::tvr_size;
        }
        return count;
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

// The last tick of the block is counted, and a run has moved `moved` timers of the crowd.
void stop_in_cascade(crowd &of, unsigned moved)
{
    CHECK_EQ(tickwheel_advance(next_block - 1 - start), 1);
    of.run(steps_of_end + moved);
    CHECK_EQ(of.in_tv1(), moved);
    CHECK_EQ(tickwheel_due(), 1);
}

} // namespace

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

TEST_CASE("run_budget(0) does nothing, and an empty tick and the end of a block take steps")
{
    const unit::fresh wheel(start);
    unit::armed near(next_block - 1);
    unit::armed far(next_block + 5);
    CHECK_EQ(tickwheel_advance(unit::block_ticks + 4), 1);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_timer_pending(&near), 1);
    // The callback, and nothing is left for the cascade.
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_timer_pending(&far), 1);
    CHECK(far.slot >= unit::geometry::tvr_size);
    CHECK_EQ(tickwheel_due(), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(1), 0u);
    CHECK(far.slot < unit::geometry::tvr_size);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK(unit::fired_in_order({&near, &far}));
    CHECK_EQ(tickwheel_due(), 0);
}

TEST_CASE("due says whether run has work, as the last tick did")
{
    const unit::fresh wheel(300);
    CHECK_EQ(tickwheel_due(), 0);
    unit::armed a(302);
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(tickwheel_tick(), 0);
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_due(), 1);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tickwheel_due(), 0);
}

TEST_CASE("a cascade stops when the budget is spent, and goes on in the next run, whatever the budget")
{
    for (unsigned budget = 1; budget < 50; ++budget) {
        const unit::fresh wheel(start);
        crowd all;
        CHECK_EQ(tickwheel_advance(next_block - 1 - start), 1);
        unsigned runs = 0;
        while (tickwheel_due() != 0 && runs < 100) {
            all.run(budget);
            ++runs;
        }
        CHECK_EQ(all.in_tv1(), in_slot);
        CHECK(runs <= 1 + in_slot / budget + steps_of_end);
        CHECK_EQ(tickwheel_tick(), 1);
        while (tickwheel_due() != 0) {
            CHECK(tickwheel_run_budget(budget) <= budget);
        }
        CHECK_EQ(unit::fired, 8u);
        CHECK_EQ(unit::pass(4), 32u);
        CHECK(all.fired_in_order());
    }
}

TEST_CASE("a stale mark after the last step of a cascade gives no step back")
{
    constexpr jiffies_t turn = 2u << unit::slot_bits(3);
    const unit::fresh wheel(300);
    {
        const unit::armed stale_in_tv3(turn + 5);
    }
    (void)unit::skip_to(turn - 2);
    unit::armed timer(turn);
    CHECK_EQ(tickwheel_advance(2), 1);
    CHECK_EQ(tickwheel_run_budget(steps_of_end + 1), 0u);
    CHECK(timer.slot < unit::geometry::tvr_size);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
}

TEST_CASE("a stopped cascade goes on before the callbacks of the block's first tick")
{
    for (unsigned moved = 0; moved < in_slot; ++moved) {
        const unit::fresh wheel(start);
        crowd all;
        stop_in_cascade(all, moved);
        // The ticks say so.
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_run(), 16u);
        CHECK_EQ(tickwheel_due(), 0);
        CHECK_EQ(unit::pass(3), 24u);
        CHECK(all.fired_in_order());
    }
}

TEST_CASE("timers are armed, moved and deleted while a cascade is stopped, and keep their order")
{
    for (unsigned moved = 0; moved < in_slot; ++moved) {
        const unit::fresh wheel(start);
        crowd all;
        stop_in_cascade(all, moved);
        unit::armed younger(next_block);
        unit::armed overdue(5);
        unit::armed upper(next_block + 3 * unit::block_ticks);
        // One that has come down, and one that may wait in tv2 still.
        tickwheel_mod_timer(&all.timers[in_slot - 1], next_block + 1);
        tickwheel_mod_timer(&all.timers[0], next_block + 1);
        CHECK_EQ(tickwheel_timer_delete(&all.timers[5]), 1);
        CHECK_EQ(tickwheel_timer_delete(&all.timers[35]), 1);
        CHECK_EQ(unit::pass(1), 7u);
        CHECK(unit::fired_in_order({&all.timers[10], &all.timers[15], &all.timers[20], &all.timers[25],
                                    &all.timers[30], &younger, &overdue}));
        CHECK_EQ(unit::pass(1), 10u);
        CHECK(unit::log[15].timer == &all.timers[in_slot - 1]);
        CHECK(unit::log[16].timer == &all.timers[0]);
        CHECK_EQ(tickwheel_timer_pending(&upper), 1);
        CHECK_EQ(unit::skip_to(next_block + 3 * unit::block_ticks), 24u);
    }
}

TEST_CASE("the searches are right while a cascade is stopped")
{
    const unit::fresh wheel(start);
    crowd all;
    stop_in_cascade(all, 7);
    jiffies_t tick = 0;
    // The block's first tick: a sleeper who passes that tick is told to run.
    CHECK_EQ(tickwheel_next_event(&tick), 1);
    CHECK_EQ(tick, next_block);
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    for (unit::noted &timer : all.timers) {
        CHECK_EQ(tickwheel_timer_delete(&timer), 1);
    }
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(tickwheel_due(), 1);
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(tickwheel_due(), 0);
}

TEST_CASE("who sleeps until the next event and runs when told comes out of a stopped cascade")
{
    const unit::fresh wheel(start);
    crowd all;
    stop_in_cascade(all, 7);
    for (unsigned sleeps = 0; sleeps < 5 && unit::fired < in_slot; ++sleeps) {
        jiffies_t tick = 0;
        CHECK_EQ(tickwheel_next_event(&tick), 1);
        (void)unit::skip_to(tick);
    }
    CHECK(all.fired_in_order());
}

TEST_CASE("ticks pass while a cascade is stopped: many at once, or more than a turn of tv2")
{
    constexpr jiffies_t sleeps[] = {1, 300, 70000, 5000000};
    for (const jiffies_t slept : sleeps) {
        const unit::fresh wheel(start);
        crowd all;
        stop_in_cascade(all, 7);
        unit::armed far(unit::now() + 4900000);
        CHECK_EQ(tickwheel_advance(slept), 1);
        CHECK_EQ(tickwheel_get_jiffies_64(), uint64_t{next_block} - 1 + slept);
        while (tickwheel_due() != 0) {
            (void)tickwheel_run_budget(3);
        }
        (void)unit::pass(4);
        CHECK_EQ(tickwheel_timer_pending(&far), slept < 4900000);
        CHECK_EQ(tickwheel_timer_delete(&far) + unit::fired, in_slot + 1);
    }
}

TEST_CASE("the wheel starts again while a cascade is stopped")
{
    const unit::fresh wheel(start);
    {
        crowd all;
        stop_in_cascade(all, 7);
    }
    tickwheel_init(5000);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_due(), 0);
    unit::armed a(5001);
    CHECK_EQ(unit::pass(1), 1u);
}
