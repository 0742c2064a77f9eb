// SPDX-License-Identifier: MIT
// Wheels of a program's own: timers of a wheel by its name, the count of pending timers, and a limit on that.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/scoped_timer.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

using geometry = tickwheel::geometry<6, 2>;
template <class Population>
using own_wheel = tickwheel::wheel<tickwheel::port_lock, geometry, tickwheel::wheel_storage<geometry>, Population>;

constexpr unsigned limit = 3;
own_wheel<tickwheel::unlimited> plain;
own_wheel<tickwheel::limited<>> any_number;
own_wheel<tickwheel::limited<limit>> full_at_three;

struct state {
    tickwheel::wheel_clock clock;
    tickwheel::wheel_slots<geometry> slots;
};
static_assert(sizeof(plain) == sizeof(state), "a wheel that does not count has no word for it");
static_assert(sizeof(void *) != 4 || sizeof(any_number) == sizeof(plain) + 4, "");

// How many of the timers are pending.
template <class Wheel>
unsigned held(Wheel &wheel, timer_list *timers, unsigned size)
{
    unsigned count = 0;
    for (unsigned i = 0; i < size; ++i) {
        count += wheel.timer_pending(&timers[i]) != 0;
    }
    return count;
}

template <class Wheel>
unsigned pass(Wheel &wheel, jiffies_t ticks)
{
    unsigned ran = 0;
    while (ticks-- != 0) {
        ran += wheel.interrupt();
    }
    return ran;
}

unsigned calls;

void count_call(timer_list *)
{
    ++calls;
}

void see_own_count(timer_list *self)
{
    ++calls;
    CHECK_EQ(any_number.pending_timers(), 1u);
    CHECK_EQ(any_number.mod_timer(self, any_number.jiffies() + 5), 0);
    CHECK_EQ(any_number.pending_timers(), 2u);
}

timer_list timers[8];

template <class Wheel>
void set_up(Wheel &wheel)
{
    // Static wheels live on when a test case ends; so they must be left empty.
    CHECK_EQ(wheel.pending_timers(), 0u);
    wheel.init(1000);
    unit::forget();
    calls = 0;
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, count_call, 0);
    }
}

} // namespace

TEST_CASE("timers of each kind work on a wheel by its name, and the default wheel is not touched")
{
    const unit::fresh fresh(500);
    plain.init(0u - 3u);
    unsigned calls_of[4] = {};
    const auto once = [&] { ++calls_of[1]; };
    const auto often = [&] { ++calls_of[2]; };
    const auto late = [&] { ++calls_of[3]; };
    calls = 0;
    tickwheel::basic_timer<plain> a{count_call};
    tickwheel::closure_timer<decltype(once), plain> b{once};
    tickwheel::periodic_timer<decltype(often), tickwheel::missed_periods::skip, plain> c{often};
    tickwheel::scoped_timer<tickwheel::long_timer<decltype(late), plain>> d{late};
    CHECK(!a.start_after_ticks(3));
    CHECK(!b.start_after_at_least(3));
    c.start_after_ticks(1, 2);
    CHECK(!d.start_at((uint64_t{5} << 32) + 7));
    CHECK((a.pending() && a.expires() == 0 && a.remaining() == 3));
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(pass(plain, 3), 3u);
    CHECK_EQ(unit::now(), 500u);
    CHECK(((calls == 1) && calls_of[1] == 0 && calls_of[2] == 2 && calls_of[3] == 0));
    CHECK_EQ(pass(plain, 1), 1u);
    CHECK(!a.move_to(plain.jiffies() + 2));
    CHECK(!a.start_after_ticks(5));
    CHECK(a.move_to(plain.jiffies() + 2));
    CHECK(a.start_no_later_than(plain.jiffies() + 9));
    CHECK_EQ(a.remaining(), 2u);
    CHECK(a.cancel());
    CHECK((c.pending() && c.stop()));
    jiffies_t next = 0;
    while (calls_of[3] == 0 && plain.next_expiry(&next)) {
        (void)plain.advance(next - plain.jiffies());
        (void)plain.run();
    }
    CHECK_EQ(plain.get_jiffies_64(), (uint64_t{5} << 32) + 7);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("a timer does not count in its own callback; cascades and init count right")
{
    set_up(any_number);
    auto &wheel = any_number;
    timers[0].function = see_own_count;
    (void)wheel.mod_timer(&timers[0], wheel.jiffies() + 1);
    (void)wheel.mod_timer(&timers[1], wheel.jiffies() + 20000);
    CHECK_EQ(pass(wheel, 1), 1u);
    CHECK_EQ(wheel.pending_timers(), 2u);
    wheel.set_function(&timers[0], count_call);
    CHECK_EQ(pass(wheel, 20000 - 2), 1u);
    CHECK_EQ(wheel.pending_timers(), 1u);
    CHECK_EQ(pass(wheel, 1), 1u);
    CHECK_EQ(wheel.pending_timers(), 0u);
    // With the checks an init with a timer pending is refused.
    (void)wheel.mod_timer(&timers[1], wheel.jiffies() + 3);
    wheel.init(7);
    CHECK_EQ(wheel.pending_timers(), unit::reports(1));
    if (wheel.pending_timers() != 0) {
        (void)wheel.timer_delete(&timers[1]);
    }
}

TEST_CASE("a full wheel refuses every kind of arm with -1, and nothing else")
{
    set_up(full_at_three);
    auto &wheel = full_at_three;
    const jiffies_t now = wheel.jiffies();
    timer_list &more = timers[limit];
    for (unsigned i = 0; i < limit; ++i) {
        CHECK_EQ(wheel.mod_timer(&timers[i], now + 5 + i), 0);
    }
    CHECK_EQ(wheel.mod_timer(&more, now + 1), -1);
    CHECK_EQ(wheel.mod_timer_idle(&more, now + 1), -1);
    CHECK_EQ(wheel.timer_reduce(&more, now + 1), -1);
    CHECK_EQ(wheel.mod_timer_pending(&more, now + 1), 0);
    more.expires = now + 1;
    wheel.add_timer(&more);
    CHECK_EQ(wheel.timer_pending(&more), 0);
    CHECK_EQ(wheel.pending_timers(), limit);
    CHECK_EQ(held(wheel, timers, 8), limit);
    CHECK_EQ(pass(wheel, 4), 0u);
    // Those that are pending move as ever.
    CHECK_EQ(wheel.mod_timer(&timers[0], now + 9), 1);
    CHECK_EQ(wheel.timer_reduce(&timers[0], now + 8), 1);
    CHECK_EQ(wheel.mod_timer_pending(&timers[0], now + 9), 1);
    // A place becomes free by a firing and by a removal.
    CHECK_EQ(pass(wheel, 2), 1u);
    CHECK_EQ(wheel.mod_timer(&timers[1], now + 20), 0);
    CHECK_EQ(wheel.mod_timer(&timers[4], now + 20), -1);
    CHECK_EQ(wheel.timer_delete(&timers[1]), 1);
    CHECK_EQ(wheel.mod_timer(&timers[4], now + 20), 0);
    CHECK_EQ(pass(wheel, 20), limit);
    CHECK_EQ(wheel.pending_timers(), 0u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("a start that a full wheel refuses leaves the timer idle")
{
    set_up(full_at_three);
    const auto count_up = [] { ++calls; };
    tickwheel::basic_timer<full_at_three> plain_one{count_call};
    tickwheel::long_timer<decltype(count_up), full_at_three> far{count_up};
    tickwheel::periodic_timer<decltype(count_up), tickwheel::missed_periods::skip, full_at_three> often{count_up};
    for (unsigned i = 0; i < limit; ++i) {
        (void)full_at_three.mod_timer(&timers[i], 1005);
    }
    CHECK(!plain_one.start_after_ticks(2));
    CHECK(!far.start_after_ticks(2));
    often.start_after_ticks(2, 2);
    CHECK((!plain_one.pending() && !far.pending() && !often.pending()));
    CHECK_EQ(pass(full_at_three, 5), limit);
    CHECK(!far.start_after_ticks(2));
    often.start_after_ticks(2, 2);
    CHECK(!plain_one.start_after_ticks(2));
    calls = 0;
    CHECK_EQ(pass(full_at_three, 3), 3u);
    CHECK_EQ(calls, 3u);
    CHECK(often.stop());
}

TEST_CASE("a restart that a full wheel refuses in the own callback is not made up for later")
{
    set_up(full_at_three);
    calls = 0;
    const auto fill_restart_and_free = [](auto &self) {
        ++calls;
        for (unsigned i = 0; i < limit; ++i) {
            CHECK_EQ(full_at_three.mod_timer(&timers[i], full_at_three.jiffies() + 100), 0);
        }
        self.start_after_ticks(50, 7);
        CHECK(!self.pending());
        CHECK_EQ(full_at_three.timer_delete(&timers[0]), 1);
    };
    tickwheel::periodic_timer<decltype(fill_restart_and_free), tickwheel::missed_periods::skip, full_at_three> often{
        fill_restart_and_free};
    often.start_after_ticks(1, 10);
    CHECK_EQ(pass(full_at_three, 1), 1u);
    CHECK(!often.pending());
    CHECK_EQ(full_at_three.pending_timers(), limit - 1);
    CHECK_EQ(pass(full_at_three, 60), 0u);
    CHECK_EQ(calls, 1u);
    // Nor is it shut down for good.
    often.start_after_ticks(1, 10);
    CHECK((often.pending() && often.stop()));
    CHECK((full_at_three.timer_delete(&timers[1]) && full_at_three.timer_delete(&timers[2])));
}

template <class Wheel>
static void check_many_operations(Wheel &wheel, unsigned most)
{
    static unsigned wrong;
    // The bits choose among variants of a call.
    static void (*const calls_of[])(Wheel &, timer_list *, jiffies_t, uint32_t) = {
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) { (void)in.mod_timer(timer, tick); },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) { (void)in.mod_timer(timer, tick); },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) { (void)in.mod_timer_idle(timer, tick); },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) { (void)in.timer_reduce(timer, tick); },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) { (void)in.mod_timer_pending(timer, tick); },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t) {
            if (!in.timer_pending(timer)) {
                timer->expires = tick;
                in.add_timer(timer);
            }
        },
        [](Wheel &in, timer_list *timer, jiffies_t, uint32_t bits) {
            (void)(bits & 1   ? in.try_to_del_timer_sync(timer)
                   : bits & 2 ? in.timer_delete_sync(timer)
                              : in.timer_delete(timer));
        },
        [](Wheel &in, timer_list *timer, jiffies_t tick, uint32_t bits) {
            (void)(bits & 1 ? in.timer_shutdown(timer) : in.timer_shutdown_sync(timer));
            wrong += in.mod_timer_idle(timer, tick) != 0 || in.mod_timer_pending(timer, tick) != 0;
            tickwheel_timer_setup(timer, count_call, 0);
        },
        [](Wheel &in, timer_list *, jiffies_t, uint32_t) { (void)in.tick(), (void)in.run_budget(1); },
        [](Wheel &in, timer_list *, jiffies_t, uint32_t bits) { (void)pass(in, bits & 7); },
        [](Wheel &in, timer_list *, jiffies_t, uint32_t bits) { (void)pass(in, bits & 7); },
    };
    set_up(wheel);
    uint32_t random = 7;
    wrong = 0;
    for (unsigned i = 0; i < 5000; ++i) {
        random = random * 1664525 + 1013904223;
        const unsigned which = (random >> 20 & 255) % (sizeof calls_of / sizeof *calls_of);
        calls_of[which](wheel, &timers[random >> 29], wheel.jiffies() + (random >> 12 & 127), random >> 16);
        const unsigned pending = held(wheel, timers, 8);
        wrong += wheel.pending_timers() != pending || pending > most;
    }
    CHECK_EQ(wrong, 0u);
    for (timer_list &timer : timers) {
        (void)wheel.timer_delete(&timer);
    }
    CHECK_EQ(wheel.pending_timers(), 0u);
    CHECK(calls > 100);
}

TEST_CASE("the count of a counted wheel is that of its pending timers, after each of many operations")
{
    check_many_operations(any_number, 8);
    check_many_operations(full_at_three, limit);
}
