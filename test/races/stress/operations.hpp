// SPDX-License-Identifier: MIT
// The operations of the stress test: each context calls the wheel at random on common timers, on watched ones and on
// its own.
#ifndef TICKWHEEL_TEST_STRESS_OPERATIONS_HPP
#define TICKWHEEL_TEST_STRESS_OPERATIONS_HPP

#include "watched.hpp"

namespace stress
{

using races::op;

/// The timer that was armed while the runner held it, perhaps before its callback began. Its `expires` may belong to
/// this new arming.
inline timer_list *volatile disturbed;
/// Half of all operations work on four timers from this number on.
inline volatile unsigned hot;

inline jiffies_t random_expiry(state &self, const timer_list &timer)
{
    // Counted from now, or from the last tick before the next multiple of a power of two.
    constexpr struct {
        jiffies_t round_up;
        int32_t from;
        uint32_t range;
    } spans[] = {
        {0, -63, 64},
        {0, -63, 64},
        {0, 0, 4},
        {0, 0, 4},
        {0, 0, 4},
        // Many timers meet in this tick.
        {7, 1, 1},
        {7, 1, 1},
        {7, 1, 1},
        {0, 0, 64},
        {255, 1, 1},
        {255, 1, 256},
        {0, 0, 0x8000},
        {0, 0, 0x200000},
        {0, 0, 0x8000000},
        {0, 0x7FFFFE00, 512},
    };
    constexpr unsigned count = sizeof spans / sizeof *spans;
    const uint32_t bits = self.numbers.next();
    const unsigned row = bits % 16;
    if (row == count) {
        return timer.expires;
    }
    return (jiffies | spans[row].round_up) + static_cast<jiffies_t>(spans[row].from) + (bits >> 4) % spans[row].range;
}

inline unsigned random_timer(state &self)
{
    const uint32_t bits = self.numbers.next();
    return bits % 2 != 0 ? hot + bits / 2 % 4 : (bits >> 16) * first_own >> 16;
}

inline bool arms(op what)
{
    return what >= op::mod && what <= op::reduce;
}

inline bool is_sync(op what)
{
    return what == op::try_to_remove || what == op::delete_sync || what == op::shutdown_sync;
}

/// The others may arm a common timer, so nobody shuts it down.
inline op random_call(state &self, bool is_common)
{
    constexpr op calls[] = {op::mod,         op::mod,      op::mod,         op::mod,
                            op::mod,         op::mod_idle, op::mod_pending, op::reduce,
                            op::add,         op::reduce,   op::remove,      op::try_to_remove,
                            op::delete_sync, op::remove,   op::shutdown,    op::shutdown_sync};
    return calls[self.below(is_common ? 14 : 16)];
}

/// Checks what a call returned, and counts it.
inline void account(state &self, unsigned number, op what, bool was_shut, int returned)
{
    check(returned <= 1 && returned >= (is_sync(what) ? -1 : 0), "a call returned a value that it never does",
          number);
    if (!arms(what)) {
        self.cancelled += returned == 1;
        self.balance[number] -= returned == 1;
    } else if (what != op::mod_pending && !was_shut) {
        self.armed += returned == 0;
        self.balance[number] += returned == 0;
    }
}

inline void fire(timer_list *timer);

/// One timer in eight is deferrable.
inline void set_up(unsigned number)
{
    tickwheel_timer_setup(&timers[number], fire, number % 8 == 0 ? unsigned{TICKWHEEL_TIMER_DEFERRABLE} : 0);
}

/// Only a mask proves that the timer is idle, as add_timer() wants it.
inline int add_unless_pending(timer_list &timer, jiffies_t expires)
{
    const alone now;
    if (tickwheel_timer_pending(&timer)) {
        return 1;
    }
    timer.expires = expires;
    tickwheel_add_timer(&timer);
    check(tickwheel_timer_pending(&timer) == timer.enabled, "add_timer did not arm");
    return 0;
}

/// Works on a common timer, or on one of this context, which the others only run.
inline int work_unmasked(state &self, unsigned number)
{
    timer_list &timer = timers[number];
    const bool is_own = number >= first_own;
    const bool was_pending = tickwheel_timer_pending(&timer) != 0;
    const bool was_shut = !timer.enabled;
    if (was_shut && !was_pending && self.below(2) != 0) {
        set_up(number);
        return 0;
    }
    const op what = random_call(self, !is_own);
    races::request asked = {&timer, 0, random_expiry(self, timer), 0, 0};
    races::result done = {};
    // This cannot change here: this context has interrupted the runner, or every run that comes ends before it goes
    // on.
    const bool running = runner_holds(timer);
    if (running && arms(what)) {
        disturbed = &timer;
        barrier();
    }
    const int returned = what == op::add ? add_unless_pending(timer, asked.expires)
                                         : unmasked(self, [&] { return races::kind_of(what).perform(asked, done); });
    check(!is_sync(what) || (returned == -1) == running, "a sync cancel is wrong about the running callback", number);
    // A cancel that was refused leaves it pending. No other context arms its own timer.
    const bool may_be_pending = arms(what) ? !was_shut || was_pending : returned == -1;
    check(!is_own || may_be_pending || !tickwheel_timer_pending(&timer), "pending after a cancel or a shutdown",
          number);
    account(self, number, what, was_shut, returned);
    return returned;
}

inline int work_on_watched(state &self, unsigned number)
{
    const alone now;
    const unsigned i = number - common_count;
    timer_list &timer = timers[number];
    watched_timers::entry &is = watched.timer[i];
    watched.agree(i);
    const bool was_shut = !is.enabled;
    if (was_shut && !is.pending && self.below(4) == 0) {
        // Nobody else can arm it now. Its callback may be running.
        set_up(number);
        is.enabled = true;
        return 0;
    }
    const op what = random_call(self, false);
    if (what == op::add && is.pending) {
        return 0;
    }
    const races::request asked = {&timer, i, random_expiry(self, timer), 0, 0};
    races::result done = {};
    if (what == op::add) {
        timer.expires = is.expires = asked.expires;
    }
    const int expected = races::specify(watched, what, asked, watched.clock());
    const int returned = races::kind_of(what).perform(asked, done);
    check(what == op::add || returned == expected, "a call returned a wrong value", number);
    check(!is.pending || timer.expires == is.expires, "expires is wrong after a call", number);
    account(self, number, what, was_shut, returned);
    watched.agree(i);
    return returned;
}

/// next_expiry may not be later than a timer that nobody else can move.
inline int ask_next_expiry(state &self, const timer_list &own)
{
    jiffies_t earliest = 0;
    const int found = unmasked(self, [&] { return tickwheel_next_expiry(&earliest); });
    // A timer that is pending now was pending all the time. An overdue one fires in the next tick.
    if (tickwheel_timer_pending(&own) && !own.deferrable) {
        const jiffies_t now = jiffies;
        const bool soon = !before(now + 1, earliest);
        check(found == 1 && (soon || earliest - now <= own.expires - now), "next_expiry is later than a timer");
    }
    return found;
}

/// get_jiffies_64 is not torn, never goes back, and lies between two reads of jiffies.
inline int read_clock(state &self)
{
    const jiffies_t first = jiffies;
    const uint64_t now = unmasked(self, [] { return tickwheel_get_jiffies_64(); });
    const jiffies_t last = jiffies;
    check(static_cast<jiffies_t>(now) - first <= last - first, "get_jiffies_64 is not jiffies");
    check(now >= self.seen, "get_jiffies_64 went back");
    check(now - self.seen < 0x80000000u, "get_jiffies_64 leapt");
    self.seen = now;
    return 0;
}

/// Runs all that is due, or a part of it.
inline int run_wheel(state &self, bool all)
{
    // A run below this context cannot end before this one does.
    const bool refused = tickwheel_slots.running != nullptr;
    // Most are too few for the end of a block.
    const unsigned budget = self.below(self.below(2) != 0 ? 4 : 64);
    const uint32_t fired = self.fired;
    if (all) {
        owed = false;
        barrier();
    }
    const unsigned ran = unmasked(self, [&] { return all ? tickwheel_run() : tickwheel_run_budget(budget); });
    check(ran == self.fired - fired, "a run returned a wrong number of callbacks");
    if (refused) {
        ++self.refused;
        check(ran == 0, "a nested run was not refused");
    } else if (!all) {
        check(ran <= budget, "a run exceeded its budget");
        if (tickwheel_due() != 0) {
            owed = true;
        }
    }
    return static_cast<int>(ran);
}

inline bool is_watched(unsigned number)
{
    return number >= common_count && number < first_own;
}

inline int work_on(state &self, unsigned number)
{
    return is_watched(number) ? work_on_watched(self, number) : work_unmasked(self, number);
}

/// One operation of any kind.
inline void work(state &self)
{
    const unsigned own = first_own + static_cast<unsigned>(&self - states);
    ++self.operations;
    const uint32_t which = self.below(32);
    const unsigned number = which < 5 ? own : random_timer(self);
    const int returned = which == 0   ? read_clock(self)
                         : which == 1 ? ask_next_expiry(self, timers[own])
                         : which == 2 ? run_wheel(self, self.below(2) != 0)
                                      : work_on(self, number);
    self.remember(number << 8 ^ static_cast<uint32_t>(returned) ^ jiffies);
}

/// A callback works on its own timer and on others.
inline void work_in_callback(state &self, unsigned number)
{
    const uint32_t which = self.below(8);
    if (which < 3 && number < first_own) {
        ++self.operations;
        (void)work_on(self, number);
    }
    for (uint32_t more = which % 3; more != 0; --more) {
        work(self);
    }
}

inline void fire(timer_list *timer)
{
    state &self = states[here()];
    self.inside = false;
    const unsigned number = static_cast<unsigned>(timer - timers);
    check(calm || !masked_now(), "a callback was called with interrupts masked", number);
    ++self.fired;
    --self.balance[number];
    if (is_watched(number)) {
        const alone now;
        watched.fired(number - common_count);
    } else {
        const jiffies_t expires = timer->expires;
        barrier();
        if (disturbed != timer) {
            check(!before(jiffies, expires), "fired early", number);
            check(!draining || jiffies == expires, "fired late", number);
        }
    }
    self.remember(number ^ jiffies);
    if (!calm) {
        work_in_callback(self, number);
    }
    disturbed = nullptr;
    barrier();
    self.inside = true;
}

} // namespace stress

#endif
