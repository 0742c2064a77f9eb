// SPDX-License-Identifier: MIT
// tick, run, run_budget, advance and interrupt: what they return, and what is left.
#include "support.hpp"

namespace
{

unsigned nested_run_returned;
int nested_tick_returned;
unit::noted *other;

void run_again(timer_list *self)
{
    unit::note(self);
    nested_run_returned = tickwheel_run();
}

void tick_and_run(timer_list *self)
{
    unit::note(self);
    nested_tick_returned = tickwheel_tick();
    nested_run_returned = tickwheel_run() + tickwheel_run_budget(5) + tickwheel_interrupt();
}

void arm_other_now(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(other, jiffies);
}

void take_a_tick(timer_list *self)
{
    unit::note(self);
    (void)tickwheel_tick();
}

} // namespace

TEST_CASE("tick: 0 while nothing is due, 1 in every tick until the runner has caught up")
{
    const unit::fresh wheel(300);
    unit::noted a;
    tickwheel_mod_timer(&a, 303);
    CHECK_EQ(tickwheel_tick(), 0);
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(tickwheel_tick(), 0);
    for (int i = 0; i < 5; ++i) {
        CHECK_EQ(tickwheel_tick(), 1);
    }
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(unit::log[0].at, 307u);
    CHECK_EQ(tickwheel_tick(), 0);
}

TEST_CASE("tick: on a wheel without timers it returns 1 in the last tick of a block at most")
{
    const unit::fresh wheel(0u - 3u * unit::block_ticks);
    for (jiffies_t i = 0; i < 6 * unit::block_ticks; ++i) {
        const int work = tickwheel_tick();
        CHECK((work == 0 || unit::now() % unit::block_ticks == unit::block_ticks - 1));
        CHECK_EQ(work ? tickwheel_run() : 0u, 0u);
    }
}

TEST_CASE("run: with nothing due it returns 0 and changes nothing")
{
    const unit::fresh wheel(300);
    unit::noted a;
    tickwheel_mod_timer(&a, 302);
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_timer_pending(&a), 1);
    CHECK_EQ(unit::pass(2), 1u);
}

TEST_CASE("interrupt: counts, runs, and returns how many callbacks ran")
{
    const unit::fresh wheel(254);
    unit::noted timers[5];
    tickwheel_mod_timer(&timers[0], 255);
    tickwheel_mod_timer(&timers[1], 256);
    tickwheel_mod_timer(&timers[2], 256);
    tickwheel_mod_timer(&timers[3], 256);
    tickwheel_mod_timer(&timers[4], 258);
    CHECK_EQ(tickwheel_interrupt(), 1u);
    CHECK_EQ(tickwheel_interrupt(), 3u);
    CHECK_EQ(tickwheel_interrupt(), 0u);
    CHECK_EQ(tickwheel_interrupt(), 1u);
    CHECK_EQ(unit::now(), 258u);
    CHECK_EQ(unit::fired, 5u);
}

TEST_CASE("owed work is sticky after a late run: every tick says so until it has come")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted a;
        unit::noted b;
        tickwheel_mod_timer(&a, base + 1);
        tickwheel_mod_timer(&b, base + 3);
        for (unsigned i = 0; i < 600; ++i) {
            CHECK_EQ(tickwheel_tick(), 1);
        }
        CHECK_EQ(tickwheel_run(), 2u);
        CHECK(unit::fired_in_order({&a, &b}));
        CHECK_EQ(tickwheel_run(), 0u);
    }
}

TEST_CASE("owed work is sticky after a refused run: what it came for is run by the one under way")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        timer_list a = {};
        tickwheel_timer_setup(&a, tick_and_run, 0);
        unit::noted b;
        tickwheel_mod_timer(&a, base + 1);
        tickwheel_mod_timer(&b, base + 2);
        nested_tick_returned = 77;
        nested_run_returned = 77;
        // The last callback that the budget allows: the refused run's work is then left to the next.
        REQUIRE(tickwheel_tick() == 1);
        CHECK_EQ(tickwheel_run_budget(1), 1u);
        CHECK_EQ(nested_tick_returned, 1);
        CHECK_EQ(nested_run_returned, 0u);
        CHECK_EQ(tickwheel_timer_pending(&b), 1);
        CHECK_EQ(tickwheel_advance(0), 1);
        CHECK_EQ(tickwheel_run(), 1u);
        CHECK(unit::fired_in_order({&a, &b}));
    }
}

TEST_CASE("owed work is sticky after a budgeted run: every tick says so until all has run")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted timers[3];
        for (unit::noted &timer : timers) {
            tickwheel_mod_timer(&timer, base + 1);
        }
        REQUIRE(tickwheel_tick() == 1);
        CHECK_EQ(tickwheel_run_budget(1), 1u);
        for (unsigned i = 0; i < 300; ++i) {
            CHECK_EQ(tickwheel_tick(), 1);
        }
        CHECK_EQ(tickwheel_run_budget(1), 1u);
        CHECK_EQ(tickwheel_advance(0), 1);
        CHECK_EQ(tickwheel_run_budget(2), 1u);
        CHECK(unit::fired_in_order({&timers[0], &timers[1], &timers[2]}));
    }
}

TEST_CASE("run: a nested call returns 0 at once and what it came for is not lost")
{
    const unit::fresh wheel(300);
    timer_list a = {};
    tickwheel_timer_setup(&a, run_again, 0);
    unit::noted b;
    tickwheel_mod_timer(&a, 301);
    tickwheel_mod_timer(&b, 301);
    nested_run_returned = 77;
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(nested_run_returned, 0u);
    CHECK(unit::fired_in_order({&a, &b}));
}

TEST_CASE("run: ticks counted inside a callback are run by the same run")
{
    const unit::fresh wheel(254);
    timer_list a = {};
    tickwheel_timer_setup(&a, tick_and_run, 0);
    unit::noted b;
    unit::noted c;
    tickwheel_mod_timer(&a, 255);
    tickwheel_mod_timer(&b, 256);
    tickwheel_mod_timer(&c, 257);
    nested_run_returned = 77;
    CHECK_EQ(unit::pass(1), 3u);
    CHECK_EQ(nested_tick_returned, 1);
    CHECK_EQ(nested_run_returned, 0u);
    CHECK(unit::fired_in_order({&a, &b, &c}));
    CHECK_EQ(unit::now(), 257u);
}

TEST_CASE("run_budget: at most n callbacks; the rest stay due, in order, pending and cancellable")
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

TEST_CASE("run_budget: cascades are not counted, and 0 does only those")
{
    const jiffies_t start = 3 * unit::block_ticks;
    const unit::fresh wheel(start);
    unit::noted near;
    unit::noted far;
    tickwheel_mod_timer(&near, start + unit::block_ticks - 1);
    tickwheel_mod_timer(&far, start + unit::block_ticks + 5);
    CHECK_EQ(tickwheel_advance(unit::block_ticks + 4), 1);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_timer_pending(&near), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(0), 0u);
    CHECK_EQ(tickwheel_timer_pending(&far), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK(unit::fired_in_order({&near, &far}));
}

TEST_CASE("timer_jiffies: jiffies + 1 after a finished run, T + 1 inside a callback of T, T after a budget stop in T")
{
    const unit::fresh wheel(300);
    unit::noted past;
    timer_list a = {};
    tickwheel_timer_setup(&a, arm_other_now, 0);
    unit::noted b;
    other = &past;

    // Inside T: for T + 1, not for the tick that runs.
    tickwheel_mod_timer(&a, 301);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_timer_pending(&past), 1);
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    CHECK_EQ(unit::pass(1), 1u);

    // After a budget stop inside T: for T, behind those of T.
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 303);
    tickwheel_mod_timer(&b, 303);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    tickwheel_mod_timer(&past, 100);
    CHECK_EQ(unit::next_from_now(), uint64_t{0});
    CHECK_EQ(tickwheel_run(), 2u);

    // After a finished run, with nothing left: for the next tick.
    tickwheel_mod_timer(&past, unit::now());
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(unit::pass(1), 1u);
}

TEST_CASE("timer_jiffies: the first tick that returned 1 and was not run, however many follow")
{
    const unit::fresh wheel(300);
    unit::noted a;
    unit::noted past;
    unit::noted later;
    tickwheel_mod_timer(&a, 303);
    tickwheel_mod_timer(&later, 304);
    (void)tickwheel_tick();
    (void)tickwheel_tick();
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    tickwheel_mod_timer(&past, 1);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK(unit::fired_in_order({&a, &past, &later}));
}

TEST_CASE("advance: all that became due fires in order of tick, then of arming; callbacks see the new jiffies")
{
    const unit::fresh wheel(0u - 700u);
    unit::noted timers[7];
    const jiffies_t ticks[7] = {500, 0u - 1u, 20000, 0u - 699u, 300, 300, 500};
    for (unsigned i = 0; i < 7; ++i) {
        tickwheel_mod_timer(&timers[i], ticks[i]);
    }
    CHECK_EQ(tickwheel_advance(0), 0);
    CHECK_EQ(tickwheel_advance(20700), 1);
    CHECK_EQ(unit::now(), 20000u);
    CHECK_EQ(tickwheel_run(), 7u);
    CHECK(unit::fired_in_order({&timers[3], &timers[1], &timers[4], &timers[5], &timers[0], &timers[6], &timers[2]}));
    for (unsigned i = 0; i < 7; ++i) {
        CHECK_EQ(unit::log[i].at, 20000u);
    }
}

TEST_CASE("advance: returns as tick does, and what it owes stays owed")
{
    const unit::fresh wheel(300);
    unit::noted a;
    tickwheel_mod_timer(&a, 310);
    CHECK_EQ(tickwheel_advance(9), 0);
    CHECK_EQ(tickwheel_advance(1), 1);
    CHECK_EQ(tickwheel_advance(0), 1);
    CHECK_EQ(tickwheel_advance(5), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tickwheel_advance(0), 0);
}

TEST_CASE("advance: a callback of a tick long past arms from the jiffies of now")
{
    const unit::fresh wheel(300);
    timer_list a = {};
    tickwheel_timer_setup(&a, arm_other_now, 0);
    unit::noted past;
    unit::noted between;
    other = &past;
    tickwheel_mod_timer(&a, 310);
    tickwheel_mod_timer(&between, 1000);
    // a's callback arms `past` at jiffies, 5000: counted already, so it fires in this run, after `between`.
    (void)tickwheel_advance(4700);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK(unit::fired_in_order({&a, &between, &past}));
}

TEST_CASE("advance: the longest step, with nothing armed, and again")
{
    const unit::fresh wheel(0);
    for (jiffies_t i = 1; i <= 5; ++i) {
        (void)tickwheel_advance(0x7FFFFFFF);
        CHECK_EQ(tickwheel_run(), 0u);
        CHECK_EQ(unit::now(), i * 0x7FFFFFFF);
    }
    unit::noted a;
    tickwheel_mod_timer(&a, unit::now() + 1);
    CHECK_EQ(unit::ticks_to_next_firing(3), 1u);
}

TEST_CASE("run: a tick that comes during a callback is not lost when the run ends there")
{
    const unit::fresh wheel(300);
    timer_list a = {};
    tickwheel_timer_setup(&a, take_a_tick, 0);
    unit::noted b;
    tickwheel_mod_timer(&a, 301);
    tickwheel_mod_timer(&b, 302);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    CHECK_EQ(tickwheel_timer_pending(&b), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK(unit::fired_in_order({&a, &b}));
}

TEST_CASE("init: an empty wheel at any start")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        CHECK_EQ(unit::now(), base);
        CHECK_EQ(unit::next_from_now(), unit::none);
        unit::noted a;
        tickwheel_mod_timer(&a, base);
        CHECK_EQ(unit::ticks_to_next_firing(2), 1u);
    }
}
