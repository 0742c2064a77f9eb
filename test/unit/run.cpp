// SPDX-License-Identifier: MIT
// tick, run, run_budget, advance and interrupt: what they return, and what they leave to the next run.
#include "support.hpp"

namespace
{

unsigned nested_run_returned;
int nested_tick_returned;
unit::noted *other;

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

} // namespace

TEST_CASE("tick returns 0 while nothing is due, then 1 in every tick until the runner has caught up")
{
    const unit::fresh wheel(300);
    unit::armed a(303);
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

TEST_CASE("tick on a wheel without timers returns 1 in the last tick of a block at most")
{
    const unit::fresh wheel(0u - 3u * unit::block_ticks);
    for (jiffies_t i = 0; i < 6 * unit::block_ticks; ++i) {
        const int work = tickwheel_tick();
        CHECK((work == 0 || unit::now() % unit::block_ticks == unit::block_ticks - 1));
        CHECK_EQ(work ? tickwheel_run() : 0u, 0u);
    }
}

TEST_CASE("interrupt counts, runs, and returns how many callbacks ran")
{
    const unit::fresh wheel(254);
    unit::noted timers[4];
    constexpr jiffies_t ticks[] = {255, 256, 256, 258};
    for (unsigned i = 0; i < 4; ++i) {
        tickwheel_mod_timer(&timers[i], ticks[i]);
    }
    constexpr unsigned runs[] = {1, 2, 0, 1};
    for (const unsigned ran : runs) {
        CHECK_EQ(tickwheel_interrupt(), ran);
    }
    CHECK_EQ(unit::now(), 258u);
    CHECK_EQ(unit::fired, 4u);
}

// requirement: TW-21
TEST_CASE("every tick reports owed work until a late run has done it")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::armed a(base + 1);
        unit::armed b(base + 3);
        for (unsigned i = 0; i < 600; ++i) {
            CHECK_EQ(tickwheel_tick(), 1);
        }
        CHECK_EQ(tickwheel_run(), 2u);
        CHECK(unit::fired_in_order({&a, &b}));
        CHECK_EQ(tickwheel_run(), 0u);
    }
}

// requirement: TW-22
TEST_CASE("the work of a nested run, which returns 0 at once, is reported and done by the next run")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::armed a(base + 1, tick_and_run);
        unit::armed b(base + 2);
        nested_tick_returned = 77;
        nested_run_returned = 77;
        // The budget ends with this callback, so the nested run's work is left to the next run.
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

TEST_CASE("every tick reports the work that a budgeted run has left")
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

TEST_CASE("ticks that a callback counts are run by the same run")
{
    const unit::fresh wheel(254);
    unit::armed a(255, tick_and_run);
    unit::armed b(256);
    unit::armed c(257);
    nested_run_returned = 77;
    CHECK_EQ(unit::pass(1), 3u);
    CHECK_EQ(nested_tick_returned, 1);
    CHECK_EQ(nested_run_returned, 0u);
    CHECK(unit::fired_in_order({&a, &b, &c}));
    CHECK_EQ(unit::now(), 257u);
}

// requirement: TW-03
TEST_CASE("a past expiry fires in the next tick, in T + 1 from a callback of T, in T after a budget stop in T")
{
    const unit::fresh wheel(300);
    unit::noted past;
    other = &past;

    // Inside T: for T + 1, not for the tick that runs.
    unit::armed a(301, arm_other_now);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_timer_pending(&past), 1);
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    CHECK_EQ(unit::pass(1), 1u);

    // After a budget stop inside T: for T, behind those of T.
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 303);
    unit::armed b(303);
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

TEST_CASE("a past expiry fires in the first tick that the runner owes")
{
    const unit::fresh wheel(300);
    unit::armed a(303);
    unit::armed later(304);
    (void)tickwheel_tick();
    (void)tickwheel_tick();
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    unit::armed past(1);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK(unit::fired_in_order({&a, &past, &later}));
}

// requirement: TW-07
TEST_CASE("after advance all due timers fire in order of tick, then of arming; callbacks see the new jiffies")
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

TEST_CASE("advance returns as tick does, and its work stays owed")
{
    const unit::fresh wheel(300);
    unit::armed a(310);
    CHECK_EQ(tickwheel_advance(9), 0);
    CHECK_EQ(tickwheel_advance(1), 1);
    CHECK_EQ(tickwheel_advance(0), 1);
    CHECK_EQ(tickwheel_advance(5), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tickwheel_advance(0), 0);
}

TEST_CASE("a callback that runs late arms from the present jiffies")
{
    const unit::fresh wheel(300);
    unit::noted past;
    other = &past;
    unit::armed a(310, arm_other_now);
    unit::armed between(1000);
    // a's callback arms `past` at jiffies, 5000: counted already, so it fires in this run, after `between`.
    (void)tickwheel_advance(4700);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK(unit::fired_in_order({&a, &between, &past}));
}

TEST_CASE("advance takes the longest step again and again")
{
    const unit::fresh wheel(0);
    for (jiffies_t i = 1; i <= 5; ++i) {
        (void)tickwheel_advance(0x7FFFFFFF);
        CHECK_EQ(tickwheel_run(), 0u);
        CHECK_EQ(unit::now(), i * 0x7FFFFFFF);
    }
    unit::armed a(unit::now() + 1);
    CHECK_EQ(unit::ticks_to_next_firing(3), 1u);
}
