// SPDX-License-Identifier: MIT
// The contract of ticks and runs: in which tick a timer fires, in what order, and what tick(), advance(), run() and
// interrupt() return, for a runner that is up to date and for one that lags; and callbacks that arm their own timer
// again or end its life.
#include <initializer_list>

#include "support.hpp"

namespace
{

// The runner comes to `tick` by single ticks, or in one jump.
void go_to(jiffies_t tick, bool single_ticks)
{
    (void)(single_ticks ? unit::pass(tick - unit::now()) : unit::skip_to(tick));
}

void check_delay(jiffies_t start, jiffies_t delay, bool with_far, bool single_ticks)
{
    const unit::fresh wheel(start);
    unit::noted far;
    if (with_far && delay != unit::longest_delay) {
        tickwheel_mod_timer(&far, start + unit::longest_delay);
    }
    unit::armed timer(start + delay);
    const auto same = [&](uint64_t seen, jiffies_t should) {
        CHECK_EQ(unit::moment{start, delay, static_cast<jiffies_t>(seen)}, unit::moment{start, delay, should});
    };
    const jiffies_t left = delay == 0 ? 1 : delay;
    same(unit::next_from_now(), left);
    for (const jiffies_t passed : {left / 2, left - 1}) {
        go_to(start + passed, single_ticks);
        same(unit::fired, 0);
        same(unit::next_from_now(), left - passed);
    }
    same(unit::pass(1), 1);
    CHECK(unit::log[0].timer == &timer);
    CHECK_EQ(tickwheel_timer_pending(&timer), 0);
}

} // namespace

// requirement: TW-01, TW-06, TW-33
TEST_CASE("every delay from every start fires in its tick, and next_expiry names that tick all the way to it")
{
    for (const jiffies_t start : unit::starts) {
        for (unsigned bit = 0; bit < 32; ++bit) {
            for (const jiffies_t delay : {(1u << bit) - 1, 1u << bit, (1u << bit) + 1}) {
                for (const bool with_far : {false, true}) {
                    if (delay <= (unit::has_short_range ? 1u << 24 : unit::longest_delay)) {
                        check_delay(start, delay, with_far, false);
                    }
                    // Single ticks take long in the emulator.
                    if (delay <= 600) {
                        check_delay(start, delay, with_far, true);
                    }
                }
            }
        }
    }
}

// requirement: TW-03
TEST_CASE("a past expiry fires in the next tick, in T + 1 from a callback of T, in T after a budget stop in T")
{
    const unit::fresh wheel(300);
    static unit::noted *other;
    unit::noted past;
    other = &past;

    // Inside T: for T + 1, not for the tick that runs.
    unit::armed a(301, [](timer_list *self) {
        unit::note(self);
        tickwheel_mod_timer(other, jiffies);
    });
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_timer_pending(&past), 1);
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    CHECK_EQ(unit::pass(1), 1u);

    // After a budget stop inside tick T it fires in T, behind the timers of T. A tick that is 2^31 ahead is past.
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 303);
    unit::armed b(303);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_run_budget(1), 1u);
    tickwheel_mod_timer(&past, unit::now() + 0x80000000u);
    CHECK_EQ(unit::next_from_now(), uint64_t{0});
    CHECK_EQ(tickwheel_run(), 2u);
    CHECK(unit::log[4].timer == &past);

    // After a finished run, with nothing left, it fires in the next tick, in the order of arming.
    unit::forget();
    unit::armed next(304);
    tickwheel_mod_timer(&past, unit::now());
    unit::armed last(304);
    CHECK_EQ(unit::next_from_now(), uint64_t{1});
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(unit::pass(1), 3u);
    CHECK(unit::fired_in_order({&next, &past, &last}));

    // With a lag a past timer fires in the first tick that the runner comes to.
    unit::forget();
    tickwheel_mod_timer(&a, 306);
    tickwheel_mod_timer(&b, 307);
    CHECK_EQ(tickwheel_advance(4), 1);
    tickwheel_mod_timer(&past, 1);
    CHECK_EQ(tickwheel_run(), 3u);
    CHECK(unit::fired_in_order({&a, &past, &b}));
}

// requirement: TW-04
TEST_CASE("timers of one tick fire in order of arming, armed from ever nearer through all levels")
{
    for (const jiffies_t tick : unit::starts) {
        const unit::fresh wheel(tick - unit::longest_delay);
        unit::noted timers[93];
        unsigned count = 0;
        for (unsigned bit = 31; bit-- != 0;) {
            for (const jiffies_t distance : {(1u << bit) + 1, 1u << bit, (1u << bit) - 1}) {
                if (distance != 0) {
                    (void)unit::skip_to(tick - distance);
                    tickwheel_mod_timer(&timers[count++], tick);
                }
            }
        }
        CHECK_EQ(unit::fired, 0u);
        (void)unit::pass(1);
        CHECK_EQ(unit::moment{tick, 0, unit::fired_as_armed(timers, count)}, unit::moment{tick, 0, 1});
    }
}

// requirement: TW-07
TEST_CASE("a late run over all levels fires in order of tick, then of arming; each callback sees the new jiffies")
{
    constexpr unsigned count = 30;
    for (const jiffies_t start : unit::starts) {
        const unit::fresh wheel(start);
        unit::noted timers[2 * count];
        // A later round never overtakes an earlier one.
        for (unsigned round = 0; round < 2; ++round) {
            for (unsigned bit = count; bit-- != 0;) {
                tickwheel_mod_timer(&timers[2 * bit + round], start + (1u << bit));
            }
        }
        (void)unit::skip_to(start + (1u << (count - 1)));
        CHECK(unit::fired_as_armed(timers, 2 * count));
        CHECK_EQ(unit::log[0].at, unit::now());
    }
}

TEST_CASE("an arm after a lag of 2^31 ticks, which is misuse, leaves the wheel whole")
{
    for (const jiffies_t start : unit::starts) {
        const unit::fresh wheel(start);
        unit::noted timer;
        (void)tickwheel_advance(unit::longest_delay);
        (void)tickwheel_advance(3000);
        for (const jiffies_t past : {0u, 5u}) {
            tickwheel_mod_timer(&timer, unit::now() - past);
            CHECK_EQ(unit::walk_wheel(false).found, unit::no_fault);
        }
        unit::restart(start);
    }
}

// requirement: TW-21
TEST_CASE(
    "tick and advance return 0 while nothing is due, then 1 until the runner has caught up, and due says the same")
{
    const unit::fresh wheel(300);
    unit::armed a(304);
    unit::armed b(310);
    for (const uint32_t ticks : {0u, 1u, 2u}) {
        CHECK_EQ(tickwheel_advance(ticks), 0);
        CHECK_EQ(tickwheel_due(), 0);
    }
    CHECK_EQ(tickwheel_run(), 0u);
    for (int i = 0; i < 600; ++i) {
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_due(), 1);
    }
    CHECK_EQ(tickwheel_advance(0), 1);
    CHECK_EQ(tickwheel_advance(5), 1);
    CHECK_EQ(tickwheel_run(), 2u);
    CHECK_EQ(unit::log[0].at, 908u);
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(tickwheel_run(), 0u);
    CHECK_EQ(tickwheel_advance(0), 0);
    CHECK_EQ(tickwheel_tick(), 0);
}

TEST_CASE("interrupt counts, runs, and returns how many callbacks ran")
{
    const unit::fresh wheel(254);
    unit::armed timers[] = {unit::armed(255), unit::armed(256), unit::armed(256), unit::armed(258)};
    for (const unsigned ran : {1u, 2u, 0u, 1u}) {
        CHECK_EQ(tickwheel_interrupt(), ran);
    }
    CHECK_EQ(unit::now(), 258u);
    CHECK_EQ(unit::fired, 4u);
    CHECK(unit::log[2].timer == &timers[2]);
}

// requirement: TW-22
TEST_CASE("a nested run returns 0 at once; the run around it does its work, or reports it when the budget is spent")
{
    static int ticked;
    static unsigned ran;
    for (const jiffies_t start : unit::starts) {
        for (const unsigned budget : {1u, ~0u}) {
            const unit::fresh wheel(start);
            unit::armed a(start + 1, [](timer_list *self) {
                unit::note(self);
                ticked = tickwheel_tick();
                ran = tickwheel_run() + tickwheel_run_budget(5) + tickwheel_interrupt();
            });
            unit::armed b(start + 2);
            unit::armed c(start + 3);
            REQUIRE(tickwheel_tick() == 1);
            CHECK_EQ(tickwheel_run_budget(budget), budget == 1 ? 1u : 3u);
            CHECK((ticked == 1 && ran == 0));
            CHECK_EQ(unit::now(), start + 3);
            CHECK_EQ(tickwheel_timer_pending(&b), budget == 1);
            CHECK_EQ(tickwheel_advance(0), budget == 1);
            CHECK_EQ(tickwheel_run(), budget == 1 ? 2u : 0u);
            CHECK(unit::fired_in_order({&a, &b, &c}));
        }
    }
}

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

namespace
{

void rearm_for_now(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(self, jiffies);
}

void rearm_for_the_past(timer_list *self)
{
    unit::note(self);
    tickwheel_mod_timer(self, jiffies - 1000);
}

} // namespace

// requirement: TW-20
TEST_CASE("a callback that re-arms for now or for the past runs once a tick, and the run ends")
{
    struct {
        void (*callback)(timer_list *);
        // With a lag of a hundred ticks, it runs in the first of them and in the present one, or in each of them.
        unsigned late_calls;
    } constexpr cases[] = {{rearm_for_now, 2}, {rearm_for_the_past, 100}};
    for (const auto &one : cases) {
        const unit::fresh wheel(250);
        unit::armed a(250, one.callback);
        for (unsigned i = 0; i < 600; ++i) {
            CHECK_EQ(unit::pass(1), 1u);
        }
        (void)tickwheel_advance(100);
        CHECK_EQ(tickwheel_run(), one.late_calls);
    }
}
