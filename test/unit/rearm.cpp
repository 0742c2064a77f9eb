// SPDX-License-Identifier: MIT
// Callbacks that arm their own timer again or end its life.
#include "support.hpp"

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

void poison_self(timer_list *self)
{
    unit::note(self);
    __builtin_memset(self, 0xA5, sizeof *self);
}

} // namespace

// requirement: TW-17
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

// requirement: TW-20
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
