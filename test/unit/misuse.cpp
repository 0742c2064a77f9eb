// SPDX-License-Identifier: MIT
// Misuse: what a build with checks reports, with the lock free, and what the misused call does with or without them.
// contract_calls.cpp has the misuse of single calls in each state.
#include <tickwheel/default_wheel.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
#ifdef TICKWHEEL_TEST_HOST
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
#endif
    ++unit::misused;
    unit::misuse = what;
    unit::misused_timer = timer;
    unit::misused_in_run = tickwheel_slots.running_timer != nullptr;
}

namespace
{

void start_afresh(timer_list *self)
{
    unit::note(self);
    tickwheel_init(5);
}

TEST_CASE("a set-up without a function is reported, and the timer ignores every arm")
{
    const unit::fresh wheel(1000);
    unit::noted a(nullptr);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1001), 0);
    CHECK_EQ(tickwheel_timer_pending(&a), 0);
    CHECK_EQ(unit::pass(3), 0u);
}

TEST_CASE("unknown flags of a set-up are reported and ignored")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0x80);
    CHECK_EQ(unit::misused, unit::reports(1));
    tickwheel_mod_timer(&a, 1002);
    CHECK_EQ(unit::next_from_now(), uint64_t{2});
    CHECK_EQ(unit::pass(3), 1u);
}

TEST_CASE("init in a callback is refused")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001, start_afresh);
    unit::armed b(1001);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(unit::now(), 1001u);
    CHECK_EQ(unit::misused, unit::reports(1));
}

#if TICKWHEEL_DEBUG

// Without the checks the rest would break the wheel. With them the misused call does nothing.

tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<6, 2>> other_wheel;

constexpr char never_set_up[] = "arming a timer that was never set up";
constexpr char is_shut_down[] = "arming a timer that is shut down";
constexpr char null_pointer[] = "a null pointer";
constexpr char not_in_this_wheel[] =
    "a timer that is not in this wheel: overwritten, never set up, or in another wheel";

bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

// Whether exactly one report has come since the last one, with these words and of this timer.
bool reported(const char *words, const timer_list *timer)
{
    const bool right = unit::misused == 1 && same_text(unit::misuse, words) && unit::misused_timer == timer;
    unit::forget();
    return right;
}

using call = int (*)(timer_list *);
constexpr call arms[] = {
    [](timer_list *timer) { return tickwheel_mod_timer(timer, jiffies + 1); },
    [](timer_list *timer) { return tickwheel_timer_reduce(timer, jiffies + 1); },
    [](timer_list *timer) { return tickwheel_add_timer(timer), 0; },
    // -1 is right too.
    [](timer_list *timer) { return tickwheel_mod_timer_idle(timer, jiffies + 1) > 0 ? 1 : 0; },
    [](timer_list *timer) { return tickwheel_mod_timer_pending(timer, jiffies + 1); },
};
// The last two may be called after a shutdown, so they do not report it.
constexpr unsigned report_a_shutdown = 3;
constexpr call removals[] = {tickwheel_timer_delete, tickwheel_try_to_del_timer_sync, tickwheel_timer_delete_sync,
                             tickwheel_timer_shutdown, tickwheel_timer_shutdown_sync};

// Each call must report, return 0 and arm nothing.
template <unsigned Count>
void check_each(const call (&calls)[Count], timer_list *timer, const char *words, unsigned reporting = Count)
{
    for (unsigned i = 0; i < Count; ++i) {
        CHECK_EQ(calls[i](timer), 0);
        CHECK((i < reporting ? reported(words, timer) : unit::misused == 0));
    }
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

TEST_CASE(
    "storage that was never a timer is reported by each call that arms, and by each that removes, but for zeros")
{
    const unit::fresh wheel(1000);
    timer_list zeroed = {};
    timer_list any;
    __builtin_memset(&any, 0xA5, sizeof any);
    check_each(arms, &zeroed, never_set_up);
    check_each(arms, &any, never_set_up);
    // Zeros are an idle timer; nothing to remove.
    CHECK_EQ(tickwheel_timer_delete(&zeroed), 0);
    CHECK_EQ(unit::misused, 0u);
    check_each(removals, &any, not_in_this_wheel);
    // Overwritten so that it looks set up.
    __builtin_memset(&any, 0xA5, sizeof any);
    any.enabled = 1;
    check_each(arms, &any, not_in_this_wheel);
    any.slot = 3;
    check_each(arms, &any, not_in_this_wheel);
}

// requirement: TW-40
TEST_CASE("arming a timer that is shut down is reported, but not by mod_timer_idle and mod_timer_pending")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    CHECK_EQ(tickwheel_timer_shutdown(&a), 0);
    check_each(arms, &a, is_shut_down, report_a_shutdown);
}

TEST_CASE("a callback that arms its own timer after a shutdown arms nothing, and that is no misuse")
{
    static call arm;
    for (const call each : arms) {
        const unit::fresh wheel(1000);
        arm = each;
        timer_list timer;
        tickwheel_timer_setup(
            &timer,
            [](timer_list *self) {
                CHECK_EQ(tickwheel_timer_shutdown(self), 0);
                CHECK_EQ(arm(self), 0);
            },
            0);
        (void)tickwheel_mod_timer(&timer, 1001);
        CHECK_EQ(unit::pass(1), 1u);
        CHECK((unit::misused == 0 && unit::walk_wheel(true).timers == 0));
    }
}

TEST_CASE("a start of a long timer that was overwritten reports each of its steps, and changes nothing")
{
    const unit::fresh wheel(1000);
    tickwheel::long_timer far{[] { unit::note(nullptr); }};
    (void)far.start_after_ticks(5);
    auto &memory = reinterpret_cast<timer_list &>(far);
    memory.expires += 1;
    (void)far.start_after_ticks(9);
    CHECK_EQ(unit::misused, unit::reports(2));
    memory.expires -= TICKWHEEL_DEBUG;
    CHECK(far.cancel());
}

// requirement: TW-40
TEST_CASE("a timer of another wheel is reported, and both wheels go on")
{
    const unit::fresh wheel(1000);
    unit::noted other;
    other_wheel.init(1000);
    // Both timers have the same slot.
    unit::armed mine(1005);
    CHECK_EQ(other_wheel.mod_timer(&other, 1005), 0);
    unit::armed beside(1005);
    const auto refused = [](int returned, const timer_list &timer) {
        return returned == 0 && reported(not_in_this_wheel, &timer);
    };
    CHECK(refused(tickwheel_mod_timer(&other, 1003), other));
    CHECK(refused(tickwheel_timer_delete(&other), other));
    CHECK(refused(other_wheel.mod_timer(&mine, 1003), mine));
    CHECK(refused(other_wheel.timer_delete(&mine), mine));
    // The other wheel does not have this slot.
    tickwheel_mod_timer(&mine, 1000 + (3u << unit::slot_bits(5)));
    CHECK(refused(other_wheel.timer_delete(&mine), mine));
    CHECK_EQ(tickwheel_timer_delete(&mine), 1);
    CHECK_EQ(other_wheel.timer_delete(&other), 1);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("the report of an add or a set-up of a pending timer names the call")
{
    const unit::fresh wheel(1000);
    unit::armed a(1005);
    tickwheel_add_timer(&a);
    CHECK(reported("tickwheel_add_timer: pending", &a));
    tickwheel_timer_setup(&a, unit::note, 0);
    CHECK(reported("tickwheel_timer_setup: pending", &a));
    // A time-out that is set up while it waits still waits.
    tickwheel_inactivity_timer waiting;
    const auto silent = [](tickwheel_inactivity_timer *) {};
    tickwheel_inactivity_setup(&waiting, silent, 0);
    tickwheel_inactivity_restart_at(&waiting, 1007);
    tickwheel_inactivity_setup(&waiting, silent, 0);
    CHECK(reported("tickwheel_timer_setup: pending", &waiting.timer));
    CHECK_EQ(tickwheel_inactivity_pending(&waiting), 1);
    CHECK_EQ(tickwheel_inactivity_stop(&waiting), 1);
}

TEST_CASE("the end of a scoped timer in its own callback is reported")
{
    const unit::fresh wheel(1000);
    using closure = tickwheel::scoped_timer<tickwheel::closure_timer<void (*)(timer_list &)>>;
    // The test itself ends its life.
    union place {
        closure timer;
        place()
            : timer([](timer_list &self) {
                  static_cast<closure &>(self).~closure();
                  CHECK(reported("destroying a timer whose callback is running", &self));
              })
        {
        }
        ~place()
        {
        }
    } storage;
    (void)storage.timer.start_after_ticks(1);
    CHECK_EQ(unit::pass(3), 1u);
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

// requirement: TW-40
TEST_CASE("a lag of 2^31 or more is reported, by one call of advance or by several")
{
    constexpr char words[] = "tickwheel_advance: a lag of 2^31 ticks or more";
    const unit::fresh wheel(1000);
    (void)tickwheel_advance(0x7FFFFFFFu);
    (void)tickwheel_run();
    CHECK_EQ(unit::misused, 0u);
    (void)tickwheel_advance(0x80000000u);
    CHECK(reported(words, nullptr));
    tickwheel_init(1000);
    unit::armed first(1001);
    (void)tickwheel_advance(1);
    // Here the sum wraps, and the next one stops a tick before the limit.
    (void)tickwheel_advance(0xFFFFFFFFu);
    CHECK(reported(words, nullptr));
    (void)tickwheel_advance(0x7FFFFFFEu);
    (void)tickwheel_advance(1);
    CHECK_EQ(unit::misused, 0u);
    (void)tickwheel_advance(1);
    CHECK(reported(words, nullptr));
    tickwheel_timer_delete(&first);
    tickwheel_init(1000);
}

TEST_CASE("more milliseconds than 2^31 - 2 ticks are reported, and count as so many")
{
    const unit::fresh wheel(1000);
    unit::noted timer;
    const volatile unsigned too_many[] = {0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu};
    for (const volatile unsigned &milliseconds : too_many) {
        (void)tickwheel_start_after_ms(&timer, milliseconds);
        CHECK(reported("tickwheel_start_after_ms: more than 2^31 - 2 ticks", &timer));
        CHECK_EQ(timer.expires, 1000 + unit::longest_delay);
    }
    CHECK_EQ(tickwheel_timer_delete(&timer), 1);
}

// requirement: TW-40
TEST_CASE("a null timer and a null pointer for a tick are reported, and return 0")
{
    const unit::fresh wheel(1000);
    constexpr call others[] = {
        [](timer_list *timer) { return tickwheel_timer_setup(timer, unit::note, 0), 0; },
        [](timer_list *timer) { return tickwheel_timer_pending(timer); },
        [](timer_list *) { return tickwheel_next_expiry(nullptr); },
        [](timer_list *) { return tickwheel_next_expiry_locked(nullptr, 1); },
        [](timer_list *) { return tickwheel_next_event(nullptr); },
        [](timer_list *) { return tickwheel_inactivity_setup(nullptr, nullptr, 0), 0; },
        [](timer_list *) { return tickwheel_inactivity_restart_at(nullptr, jiffies + 1), 0; },
        [](timer_list *) { return tickwheel_inactivity_stop(nullptr); },
        [](timer_list *) { return tickwheel_inactivity_pending(nullptr); },
    };
    check_each(arms, nullptr, null_pointer);
    check_each(removals, nullptr, null_pointer);
    check_each(others, nullptr, null_pointer);
}

#endif

} // namespace
