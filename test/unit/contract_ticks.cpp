// SPDX-License-Identifier: MIT
// The contract of ticks: in which tick a timer fires, in what order, and what interrupt() returns. test/fuzz compares
// each tick, each run and its budget with the reference model, also behind a lag and in a callback.
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

} // namespace
