// SPDX-License-Identifier: MIT
// Callbacks that arm their own timer again or end its life.
#include "support.hpp"

namespace
{

timer_list *other;

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

void rearm_by_period(timer_list *self)
{
    unit::note(self);
    // Armed twice, it keeps one entry.
    CHECK_EQ(tickwheel_mod_timer(self, self->expires + 10), 0);
    CHECK_EQ(tickwheel_mod_timer(self, self->expires - 9), 1);
}

void poison_self(timer_list *self)
{
    unit::note(self);
    __builtin_memset(self, 0xA5, sizeof *self);
}

} // namespace

TEST_CASE("the wheel does not touch a timer after its callback has ended the timer's life")
{
    const unit::fresh wheel(1000);
    timer_list timers[2] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, poison_self, 0);
        tickwheel_mod_timer(&timer, 1001);
    }
    unit::armed c(1001);
    CHECK_EQ(unit::pass(1), 3u);
    for (const timer_list &timer : timers) {
        unsigned char bytes[sizeof timer];
        __builtin_memcpy(bytes, &timer, sizeof bytes);
        for (const unsigned char byte : bytes) {
            CHECK_EQ(unsigned{byte}, 0xA5u);
        }
    }
    CHECK_EQ(unit::pass(1000), 0u);
}

TEST_CASE("the wheel does not touch a timer after its deletion")
{
    const unit::fresh wheel(1000);
    unit::armed first(1005);
    timer_list on_stack = {};
    tickwheel_timer_setup(&on_stack, unit::note, 0);
    tickwheel_mod_timer(&on_stack, 1005);
    unit::armed last(1005);
    CHECK_EQ(tickwheel_timer_delete(&on_stack), 1);
    __builtin_memset(&on_stack, 0xA5, sizeof on_stack);
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(10), 2u);
    CHECK(unit::fired_in_order({&first, &last}));
}

TEST_CASE("a period of one tick, re-armed by expires + 1, loses none, also after a stall")
{
    const unit::fresh wheel(0u - 50000u);
    unit::armed a(unit::now() + 1, rearm_by_period);
    constexpr unsigned periods = 100000;
    CHECK_EQ(unit::pass(periods), periods);
    CHECK_EQ(a.expires, unit::now() + 1);
    CHECK_EQ(tickwheel_advance(300), 1);
    CHECK_EQ(tickwheel_run(), 300u);
}

TEST_CASE("a callback that re-arms for now or for the past runs once a tick, and the run ends")
{
    struct {
        void (*callback)(timer_list *);
        // In a run that is a hundred ticks behind: the first owed tick and the present one, or each owed tick.
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

TEST_CASE("two callbacks that arm each other for now alternate, one a tick")
{
    const unit::fresh wheel(250);
    unit::armed a(251, arm_other_for_now);
    unit::noted b(arm_other_for_now);
    other = &b;
    for (unsigned i = 0; i < 60; ++i) {
        CHECK_EQ(unit::pass(1), 1u);
        CHECK(unit::log[i].timer == (i % 2 == 0 ? &a : &b));
    }
}
