// SPDX-License-Identifier: MIT
// Bugs that timer modules really had, by number. B3 is in callbacks.cpp, B7 in
// next_expiry.cpp, B8 and B9 in level_boundaries.cpp and order.cpp; what needs an
// interrupt inside a call is in hazards_host.cpp.
#include "support.hpp"

namespace
{

timer_list *other;
unsigned calls;

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

void arm_other_for_now(timer_list *self)
{
    unit::note(self);
    timer_list *const next = other;
    other = self;
    tickwheel_mod_timer(next, jiffies);
}

void rearm_twice(timer_list *self)
{
    unit::note(self);
    CHECK_EQ(tickwheel_mod_timer(self, self->expires + 10), 0);
    CHECK_EQ(tickwheel_mod_timer(self, self->expires), 1);
}

void rearm_by_period(timer_list *self)
{
    ++calls;
    tickwheel_mod_timer(self, self->expires + 1);
}

void poison_self(timer_list *self)
{
    unit::note(self);
    __builtin_memset(self, 0xA5, sizeof *self);
}

void rearm_and_be_seen_idle(timer_list *self)
{
    unit::note(self);
    CHECK_EQ(tickwheel_timer_pending(self), 0);
}

} // namespace

TEST_CASE("B2: arming an armed timer again and again keeps one entry")
{
    const unit::fresh wheel(250);
    unit::noted a;
    unit::noted b;
    for (jiffies_t i = 0; i < 50; ++i) {
        tickwheel_mod_timer(&a, 260 + i * 97 % 700);
        tickwheel_mod_timer(&b, 260);
        tickwheel_mod_timer(&b, 261);
        CHECK_EQ(unit::walk_wheel(true).timers, 2u);
    }
    CHECK_EQ(unit::pass(800), 2u);
}

TEST_CASE("B2: a periodic callback that re-arms twice fires once a period")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_twice, 0);
    tickwheel_mod_timer(&a, 260);
    CHECK_EQ(unit::pass(1000), 100u);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
}

TEST_CASE("B4: a callback may end the life of its own timer; nothing of it is touched again")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    timer_list b = {};
    unit::noted c;
    tickwheel_timer_setup(&a, poison_self, 0);
    tickwheel_timer_setup(&b, poison_self, 0);
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    tickwheel_mod_timer(&c, 1001);
    CHECK_EQ(unit::pass(1), 3u);
    const timer_list *const freed[] = {&a, &b};
    for (const timer_list *timer : freed) {
        unsigned char bytes[sizeof *timer];
        __builtin_memcpy(bytes, timer, sizeof bytes);
        for (const unsigned char byte : bytes) {
            CHECK_EQ(unsigned{byte}, 0xA5u);
        }
    }
    CHECK_EQ(unit::pass(1000), 0u);
}

TEST_CASE("B4: a deleted timer's memory is its owner's again at once")
{
    const unit::fresh wheel(1000);
    unit::noted first;
    unit::noted last;
    tickwheel_mod_timer(&first, 1005);
    {
        timer_list on_stack = {};
        tickwheel_timer_setup(&on_stack, unit::note, 0);
        tickwheel_mod_timer(&on_stack, 1005);
        tickwheel_mod_timer(&last, 1005);
        CHECK_EQ(tickwheel_timer_delete(&on_stack), 1);
        __builtin_memset(&on_stack, 0xA5, sizeof on_stack);
    }
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(10), 2u);
    CHECK(unit::fired_in_order({&first, &last}));
}

TEST_CASE("B4: shutdown ends a timer that re-arms itself")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_for_now, 0);
    tickwheel_mod_timer(&a, 251);
    CHECK_EQ(unit::pass(20), 20u);
    CHECK_EQ(tickwheel_timer_shutdown_sync(&a), 1);
    CHECK_EQ(tickwheel_mod_timer(&a, 300), 0);
    CHECK_EQ(tickwheel_timer_pending(&a), 0);
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    CHECK_EQ(unit::pass(300), 0u);
    CHECK_EQ(tickwheel_timer_shutdown(&a), 0);
}

TEST_CASE("B10: any lag, then the longest delay: nothing early, and it fires")
{
    for (jiffies_t lag = 1; lag <= 1000; lag += lag < 20 || lag > 240 ? 1 : 7) {
        const unit::fresh wheel(0u - 500u);
        unit::noted first;
        unit::noted far;
        tickwheel_mod_timer(&first, unit::now() + 1);
        for (jiffies_t i = 0; i < lag; ++i) {
            CHECK_EQ(tickwheel_tick(), 1);
        }
        // The longest delay that the lag leaves.
        const jiffies_t expires = unit::now() + unit::longest_delay - (lag < unit::block_ticks ? 0 : lag);
        tickwheel_mod_timer(&far, expires);
        CHECK_EQ(tickwheel_run(), 1u);
        CHECK_EQ(unit::pass(2), 0u);
        CHECK_EQ(unit::skip_to(expires - 1), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("B10: arming what has expired never turns the wheel's clock back")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        unit::noted far;
        unit::noted past;
        tickwheel_mod_timer(&far, base + 5000);
        for (unsigned i = 0; i < 600; ++i) {
            tickwheel_mod_timer(&past, unit::now() - (1u << i % 31));
            const jiffies_t next = tickwheel_clock.next_event;
            CHECK(tickwheel_time_after(next, unit::now()));
            CHECK_EQ(unit::pass(1), 1u);
        }
        CHECK_EQ(tickwheel_timer_pending(&far), 1);
        CHECK_EQ(unit::skip_to(base + 4999), 0u);
        CHECK_EQ(unit::pass(1), 1u);
    }
}

TEST_CASE("B11: jiffies + n fires n ticks later, from the main loop and from callbacks, at every place in a block")
{
    const unit::fresh wheel(0u - 600u);
    unit::noted a;
    for (jiffies_t i = 0; i < 1200; ++i) {
        const jiffies_t n = 1 + i % 5;
        tickwheel_mod_timer(&a, unit::now() + n);
        CHECK_EQ(unit::ticks_to_next_firing(10), n);
    }
}

TEST_CASE("B11: a period of one tick, re-armed by expires + 1, loses none")
{
    const unit::fresh wheel(0u - 50000u);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_by_period, 0);
    calls = 0;
    tickwheel_mod_timer(&a, unit::now() + 1);
    constexpr unsigned periods = 100000;
    CHECK_EQ(unit::pass(periods), periods);
    CHECK_EQ(calls, periods);
    CHECK_EQ(a.expires, unit::now() + 1);
    // And after a stall each missed period is made up by the one run.
    CHECK_EQ(tickwheel_advance(300), 1);
    CHECK_EQ(tickwheel_run(), 300u);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
}

TEST_CASE("B12: a callback that re-arms for now runs once a tick")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_for_now, 0);
    tickwheel_mod_timer(&a, 250);
    for (unsigned i = 0; i < 600; ++i) {
        CHECK_EQ(unit::pass(1), 1u);
    }
    // A hundred ticks behind: the tick that was owed, then the present one, and no more.
    (void)tickwheel_advance(100);
    CHECK_EQ(tickwheel_run(), 2u);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
}

TEST_CASE("B12: a callback that re-arms for the past runs once an owed tick, and run ends")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_for_the_past, 0);
    tickwheel_mod_timer(&a, 250);
    for (unsigned i = 0; i < 20; ++i) {
        CHECK_EQ(unit::pass(1), 1u);
    }
    (void)tickwheel_advance(100);
    CHECK_EQ(tickwheel_run(), 100u);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
}

TEST_CASE("B12: two that arm each other for now alternate, one a tick")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    timer_list b = {};
    tickwheel_timer_setup(&a, arm_other_for_now, 0);
    tickwheel_timer_setup(&b, arm_other_for_now, 0);
    other = &b;
    tickwheel_mod_timer(&a, 251);
    for (unsigned i = 0; i < 60; ++i) {
        CHECK_EQ(unit::pass(1), 1u);
        CHECK(unit::log[i].timer == (i % 2 == 0 ? &a : &b));
    }
    CHECK_EQ(tickwheel_timer_delete(&a) + tickwheel_timer_delete(&b), 1);
}

TEST_CASE("B17: every call on a timer that was never set up is harmless")
{
    const unit::fresh wheel(250);
    static timer_list zero;
    CHECK_EQ(tickwheel_timer_pending(&zero), 0);
    CHECK_EQ(tickwheel_timer_delete(&zero), 0);
    CHECK_EQ(tickwheel_try_to_del_timer_sync(&zero), 0);
    CHECK_EQ(tickwheel_timer_delete_sync(&zero), 0);
    CHECK_EQ(tickwheel_mod_timer(&zero, 251), 0);
    tickwheel_add_timer(&zero);
    CHECK_EQ(tickwheel_timer_shutdown_sync(&zero), 0);
    CHECK_EQ(unit::pass(600), 0u);
    CHECK_EQ(unit::misused, unit::reports(2));
}

TEST_CASE("B19: not pending inside its own callback, deleted twice, and no ghost after a stop")
{
    const unit::fresh wheel(250);
    timer_list a = {};
    tickwheel_timer_setup(&a, rearm_and_be_seen_idle, 0);
    tickwheel_mod_timer(&a, 255);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(tickwheel_timer_delete(&a), 0);
    tickwheel_mod_timer(&a, 270);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
    CHECK_EQ(tickwheel_timer_delete(&a), 0);
    // Stopped while it waits in a backlog: it does not fire, and started again it fires once.
    tickwheel_mod_timer(&a, 256);
    CHECK_EQ(tickwheel_advance(20), 1);
    CHECK_EQ(tickwheel_timer_delete(&a), 1);
    CHECK_EQ(tickwheel_run(), 0u);
    tickwheel_mod_timer(&a, unit::now() + 2);
    CHECK_EQ(unit::pass(600), 1u);
}
