// SPDX-License-Identifier: MIT
// What is reported when the checks are built in, with the lock free; and that the
// misused call does what is written for it with or without them. The misuse of
// single calls in each state is in contract_states.cpp.
#include "support.hpp"

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
#ifdef TICKWHEEL_TEST_HOST
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
#endif
    ++unit::misused;
    unit::misuse = what;
    unit::misused_timer = timer;
}

namespace
{

void start_afresh(timer_list *self)
{
    unit::note(self);
    tickwheel_init(5);
}

void shutdown_then_rearm(timer_list *self)
{
    unit::note(self);
    CHECK_EQ(tickwheel_timer_shutdown_sync(self), -1);
    CHECK_EQ(tickwheel_mod_timer(self, jiffies + 1), 0);
    CHECK_EQ(tickwheel_timer_pending(self), 0);
}

bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

bool starts_with(const char *text, const char *start)
{
    while (*start != '\0' && *start == *text) {
        ++start;
        ++text;
    }
    return *start == '\0';
}

} // namespace

TEST_CASE("misuse: setup without a function makes a timer that ignores every arm")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, nullptr, 0);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1001), 0);
    CHECK_EQ(tickwheel_timer_pending(&a), 0);
    CHECK_EQ(unit::pass(3), 0u);
}

TEST_CASE("misuse: setup with unknown flags ignores them")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0x80);
    CHECK_EQ(unit::misused, unit::reports(1));
    tickwheel_mod_timer(&a, 1002);
    CHECK_EQ(unit::next_from_now(), uint64_t{2});
    CHECK_EQ(unit::pass(3), 1u);
}

TEST_CASE("misuse: init below a callback is refused")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    unit::noted b;
    tickwheel_timer_setup(&a, start_afresh, 0);
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(unit::now(), 1001u);
    CHECK_EQ(unit::misused, unit::reports(1));
}

TEST_CASE("misuse: a report names the call and the timer")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1005);
    tickwheel_add_timer(&a);
    CHECK_EQ(unit::misused, unit::reports(1));
    if (unit::misused != 0) {
        CHECK(starts_with(unit::misuse, "tickwheel_add_timer"));
        CHECK(!same_text(unit::misuse, "tickwheel_add_timer"));
        CHECK(unit::misused_timer == &a);
    }
    tickwheel_timer_delete(&a);
}

TEST_CASE("misuse: shutdown_sync from the own callback is -1, and the callback's own arms are ignored from then on")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, shutdown_then_rearm, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1010), 0);
}

#if TICKWHEEL_DEBUG
TEST_CASE("misuse: advance by 2^31 or more is reported")
{
    const unit::fresh wheel(1000);
    (void)tickwheel_advance(0x80000000u);
    CHECK_EQ(unit::misused, 1u);
    tickwheel_init(1000);
}
#endif
