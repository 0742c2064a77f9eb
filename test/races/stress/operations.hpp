// SPDX-License-Identifier: MIT
// The operations of the stress test: each context calls the wheel at random on
// common timers, on watched ones and on its own.
#ifndef TICKWHEEL_TEST_STRESS_OPERATIONS_HPP
#define TICKWHEEL_TEST_STRESS_OPERATIONS_HPP

#include "watched.hpp"

namespace stress
{

/// The timer that was armed while the runner held it, perhaps before its callback began. Its `expires` may belong to
/// this new arming.
inline timer_list *volatile disturbed;
/// Half of all operations work on four timers from this number on.
inline volatile unsigned hot;

inline void count_armed(state &self, unsigned number, int returned)
{
    check(returned == 0 || returned == 1, "an arm returned neither 0 nor 1", number);
    if (returned == 0) {
        ++self.armed;
        ++self.balance[number];
    }
}

inline void count_cancelled(state &self, unsigned number, int returned)
{
    check(returned >= -1 && returned <= 1, "a cancel returned neither -1 nor 0 nor 1", number);
    if (returned == 1) {
        ++self.cancelled;
        --self.balance[number];
    }
}

inline jiffies_t random_expiry(state &self, const timer_list &timer)
{
    const uint32_t bits = self.numbers.next();
    const uint32_t any = bits >> 4;
    const jiffies_t now = jiffies;
    switch (bits % 16) {
    case 0:
    case 1:
        return now - any % 64;
    case 2:
    case 3:
    case 4:
    case 5:
        return now + any % 4;
    case 6:
    case 7:
    case 8:
        // Many timers meet in this tick.
        return (now | 7) + 1;
    case 9:
        return now + any % 64;
    case 10:
        return (now | 255) + 1;
    case 11:
        return (now | 255) + 1 + any % 256;
    case 12:
        return timer.expires;
    case 13:
        return now + any % 0x8000;
    case 14:
        return now + any % 0x200000;
    default:
        return now + (any % 8 == 0 ? 0x7FFFFFFF - any % 512 : any & 0x7FFFFFF);
    }
}

inline unsigned random_timer(state &self)
{
    const uint32_t bits = self.numbers.next();
    return bits % 2 != 0 ? hot + bits / 2 % 4 : (bits >> 16) * first_own >> 16;
}

/// Call this before an unmasked arm. A context that interrupts the runner ends before the runner goes on.
inline void disturb(timer_list &timer)
{
    if (runner_holds(timer)) {
        disturbed = &timer;
        barrier();
    }
}

enum arming : unsigned { by_pending, by_reduce, by_reduce_too, by_add, by_mod };

/// Arms by one of the calls. add_timer() wants an idle timer.
inline int arm(uint32_t how, timer_list &timer, jiffies_t expires)
{
    switch (how) {
    case by_pending:
        return tickwheel_mod_timer_pending(&timer, expires);
    case by_reduce:
    case by_reduce_too:
        return tickwheel_timer_reduce(&timer, expires);
    case by_add:
        timer.expires = expires;
        tickwheel_add_timer(&timer);
        return 0;
    default:
        return tickwheel_mod_timer(&timer, expires);
    }
}

inline int arm_common(state &self, timer_list &timer, unsigned number)
{
    const jiffies_t expires = random_expiry(self, timer);
    disturb(timer);
    int returned = 0;
    const uint32_t how = self.below(8);
    if (how == by_add) {
        // Only a mask proves that the timer is idle.
        const alone now;
        if (tickwheel_timer_pending(&timer)) {
            return 1;
        }
        (void)arm(how, timer, expires);
        check(tickwheel_timer_pending(&timer) == 1, "add_timer did not arm", number);
    } else {
        returned = unmasked(self, [&] { return arm(how, timer, expires); });
    }
    if (how != by_pending) {
        count_armed(self, number, returned);
    } else {
        check(returned == 0 || returned == 1, "mod_timer_pending returned neither 0 nor 1", number);
    }
    return returned;
}

inline int cancel_common(state &self, timer_list &timer, unsigned number)
{
    // This cannot change here: this context has interrupted the runner, or every run that comes ends before it goes
    // on.
    const bool running = runner_holds(timer);
    const uint32_t which = self.below(4);
    int returned = 0;
    if (which == 0) {
        returned = unmasked(self, [&] { return tickwheel_try_to_del_timer_sync(&timer); });
        check((returned == -1) == running, "try_to_del_timer_sync is wrong about the running callback", number);
    } else {
        const bool sync = which == 1 && !running;
        returned = unmasked(
            self, [&] { return sync ? tickwheel_timer_delete_sync(&timer) : tickwheel_timer_delete(&timer); });
        check(returned >= 0, "a delete returned -1", number);
    }
    count_cancelled(self, number, returned);
    return returned;
}

inline int work_on_common(state &self, unsigned number)
{
    timer_list &timer = timers[number];
    return self.below(8) < 5 ? arm_common(self, timer, number) : cancel_common(self, timer, number);
}

inline int arm_watched(state &self, unsigned i)
{
    const unsigned number = common_count + i;
    timer_list &timer = timers[number];
    const jiffies_t expires = random_expiry(self, timer);
    const bool was_pending = watched.timer[i].pending;
    const uint32_t how = self.below(8);
    if (how == by_add && was_pending) {
        return 0;
    }
    const int64_t clock = watched.clock();
    int expected = 0;
    switch (how) {
    case by_pending:
        expected = watched.mod_timer_pending(i, expires, clock);
        break;
    case by_reduce:
    case by_reduce_too:
        expected = watched.timer_reduce(i, expires, clock);
        break;
    default:
        expected = watched.mod_timer(i, expires, clock);
        break;
    }
    const int returned = arm(how, timer, expires);
    const bool pending = watched.timer[i].pending;
    check(returned == expected, "an arm returned a wrong value", number);
    check(!pending || timer.expires == watched.timer[i].expires, "expires is wrong after an arm", number);
    if (pending && !was_pending) {
        count_armed(self, number, 0);
    }
    return returned;
}

inline int cancel_watched(state &self, unsigned i)
{
    const unsigned number = common_count + i;
    timer_list &timer = timers[number];
    const bool running = runner_holds(timer);
    int expected = 0;
    int returned = 0;
    switch (self.below(8)) {
    case 0:
    case 1:
        expected = running ? -1 : watched.timer_delete(i);
        returned = tickwheel_try_to_del_timer_sync(&timer);
        break;
    case 2:
        expected = watched.shut_down(i);
        returned = tickwheel_timer_shutdown(&timer);
        break;
    case 3:
        if (!running) {
            expected = watched.shut_down(i);
            returned = tickwheel_timer_shutdown_sync(&timer);
        }
        break;
    default:
        expected = watched.timer_delete(i);
        returned = tickwheel_timer_delete(&timer);
        break;
    }
    check(returned == expected, "a cancel returned a wrong value", number);
    count_cancelled(self, number, returned);
    return returned;
}

inline void fire(timer_list *timer);

/// One timer in eight is deferrable.
inline void set_up(unsigned number)
{
    tickwheel_timer_setup(&timers[number], fire, number % 8 == 0 ? unsigned{TICKWHEEL_TIMER_DEFERRABLE} : 0);
}

inline int work_on_watched(state &self, unsigned i)
{
    const alone now;
    watched.agree(i);
    int returned = 0;
    if (!watched.timer[i].enabled && self.below(4) == 0) {
        // Nobody else can arm it now. Its callback may be running.
        set_up(common_count + i);
        watched.timer[i].enabled = true;
    } else if (self.below(8) < 5) {
        returned = arm_watched(self, i);
    } else {
        returned = cancel_watched(self, i);
    }
    watched.agree(i);
    return returned;
}

/// Works unmasked on the context's own timer. Other contexts only run it.
inline int work_on_own(state &self, unsigned number)
{
    timer_list &timer = timers[number];
    const jiffies_t expires = random_expiry(self, timer);
    disturb(timer);
    int returned = 0;
    const uint32_t which = self.below(8);
    if (self.own_shut && which < 4) {
        set_up(number);
        self.own_shut = false;
    } else if (which < 5) {
        returned = unmasked(self, [&] { return tickwheel_mod_timer(&timer, expires); });
        if (self.own_shut) {
            check(returned == 0 && !tickwheel_timer_pending(&timer), "an arm after a shutdown worked", number);
        } else {
            count_armed(self, number, returned);
        }
    } else {
        const bool shut = which < 7;
        returned =
            unmasked(self, [&] { return shut ? tickwheel_timer_shutdown(&timer) : tickwheel_timer_delete(&timer); });
        self.own_shut = self.own_shut || shut;
        check(!tickwheel_timer_pending(&timer), "pending after a cancel", number);
        count_cancelled(self, number, returned);
    }
    return returned;
}

/// next_expiry may not be later than a timer that nobody else can move.
inline int ask_next_expiry(state &self, unsigned own)
{
    timer_list &timer = timers[own];
    jiffies_t earliest = 0;
    provoke(self, 400);
    const int found = unmasked(self, [&] { return tickwheel_next_expiry(&earliest); });
    // A timer that is pending now was pending all the time. An overdue one fires in the next tick.
    if (tickwheel_timer_pending(&timer) && !timer.deferrable) {
        const jiffies_t now = jiffies;
        const bool soon = !before(now + 1, earliest);
        check(found == 1 && (soon || earliest - now <= timer.expires - now), "next_expiry is later than a timer",
              own);
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
    if (self.below(2) != 0) {
        provoke(self, 500);
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

inline int work_on_any(state &self, unsigned number)
{
    return number < common_count ? work_on_common(self, number) : work_on_watched(self, number - common_count);
}

/// One operation of any kind.
inline void work(state &self)
{
    const unsigned own = first_own + static_cast<unsigned>(&self - states);
    ++self.operations;
    const uint32_t which = self.below(32);
    if (which % 4 == 0) {
        provoke(self, 200);
    }
    unsigned number = own;
    int returned = 0;
    if (which == 0) {
        returned = read_clock(self);
    } else if (which == 1) {
        returned = ask_next_expiry(self, own);
    } else if (which == 2) {
        returned = run_wheel(self, self.below(2) != 0);
    } else if (which < 5) {
        returned = work_on_own(self, own);
    } else {
        number = random_timer(self);
        returned = work_on_any(self, number);
    }
    self.remember(number << 8 ^ static_cast<uint32_t>(returned) ^ jiffies);
}

/// A callback works on its own timer and on others.
inline void work_in_callback(state &self, unsigned number)
{
    const uint32_t which = self.below(8);
    if (which < 3 && number < first_own) {
        ++self.operations;
        (void)work_on_any(self, number);
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
    if (number >= common_count && number < first_own) {
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
