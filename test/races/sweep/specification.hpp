// SPDX-License-Identifier: MIT
// What the contract says of a handful of timers, told as steps that are each
// atomic. An interrupt may come before, between and after them: play the
// operation under way with the interrupt's at point 0, 1, 2, .. and there are all
// outcomes that are allowed.
#ifndef TICKWHEEL_TEST_SWEEP_SPECIFICATION_HPP
#define TICKWHEEL_TEST_SWEEP_SPECIFICATION_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace sweep
{

/// The timers, by where they stand to the one that the operation under way works on.
enum timer_name : unsigned { the_same, the_older, the_younger, the_other, the_last, timer_count };
constexpr unsigned no_timer = timer_count;

/// One call of a callback.
struct firing {
    unsigned timer;
    jiffies_t at;
};
constexpr unsigned log_size = 24;
struct firing_log {
    unsigned count;
    /// How many of them are over.
    unsigned returned;
    firing entry[log_size];

    void add(unsigned timer, jiffies_t at)
    {
        if (count < log_size) {
            entry[count] = {timer, at};
        }
        ++count;
    }
};

/// What a call came to.
struct result {
    uint64_t value;
    int returned;
    /// What a tick said, where running is a part of the call.
    int said;
};

inline bool before(jiffies_t a, jiffies_t b)
{
    return static_cast<int32_t>(a - b) < 0;
}

struct specification {
    struct entry {
        bool pending;
        jiffies_t expires;
        /// In which it fires.
        jiffies_t tick;
        /// Grows with each arming.
        unsigned order;
        bool deferrable;
        bool set_up;
    };

    entry timer[timer_count];
    uint64_t count;
    /// The last tick of which the runner has done everything.
    jiffies_t finished;
    bool running;
    /// Whose callback runs or is about to.
    unsigned current;
    /// A callback has returned and the runner has not yet taken the lock: it counts as running, or no longer.
    bool returning;
    /// A tick is being drained, and which.
    bool draining;
    jiffies_t drained;
    /// The callback that does something has been called.
    bool callback_done;
    unsigned armings;
    firing_log log;
    /// Cleared when the wheel did what no order allows.
    bool sound;
    /// The interrupts that are to come, one or two, at these points; how many points have been passed.
    unsigned interrupts;
    int interrupt_at[2];
    unsigned interrupts_come;
    int points_passed;
    bool in_interrupt;
    void (*interrupt)(specification &, unsigned which);
    /// What a callback does, between its entry and its return.
    void (*callback)(specification &, unsigned timer);

    void start(jiffies_t at)
    {
        for (entry &one : timer) {
            one = {false, 0, 0, 0, false, true};
        }
        count = at;
        finished = at;
        running = false;
        current = no_timer;
        returning = false;
        draining = false;
        drained = 0;
        callback_done = false;
        armings = 0;
        log.count = 0;
        log.returned = 0;
        sound = true;
        interrupts = 0;
        interrupts_come = 0;
        points_passed = 0;
        in_interrupt = false;
        interrupt = nullptr;
        callback = nullptr;
    }

    jiffies_t now() const
    {
        return static_cast<jiffies_t>(count);
    }

    /// Here an interrupt may come; not into another, which has the same priority.
    void point()
    {
        if (in_interrupt) {
            return;
        }
        while (interrupts_come < interrupts && interrupt_at[interrupts_come] == points_passed) {
            in_interrupt = true;
            interrupt(*this, interrupts_come);
            in_interrupt = false;
            ++interrupts_come;
        }
        ++points_passed;
    }

    /// The earliest timer, in the order of ticks and then of arming; no_timer when none is pending.
    unsigned earliest(bool deferrable_too = true) const
    {
        unsigned best = no_timer;
        for (unsigned i = 0; i < timer_count; ++i) {
            if (timer[i].pending && (deferrable_too || !timer[i].deferrable) &&
                (best == no_timer || before(timer[i].tick, timer[best].tick) ||
                 (timer[i].tick == timer[best].tick && timer[i].order < timer[best].order))) {
                best = i;
            }
        }
        return best;
    }

    bool due() const
    {
        const unsigned first = earliest();
        return first != no_timer && !before(now(), timer[first].tick);
    }

    /// Whether the wheel may say that its clock, timer_jiffies, stands there. The contract leaves it free only where
    /// a tick had nothing to do.
    bool may_stand_at(jiffies_t clock) const
    {
        const jiffies_t from = draining ? drained + 1 : finished + 1;
        jiffies_t to = now() + 1;
        for (const entry &one : timer) {
            if (one.pending && before(one.tick, to) && !before(one.tick, from)) {
                to = one.tick;
            }
        }
        return !before(clock, from) && !before(to, clock);
    }

    int mod(unsigned i, jiffies_t expires, jiffies_t clock)
    {
        entry &one = timer[i];
        if (!one.set_up) {
            return 0;
        }
        const int was_pending = one.pending;
        if (was_pending && one.expires == expires) {
            return 1;
        }
        one.pending = false;
        const bool overdue = before(expires, clock);
        sound = sound && (!overdue || may_stand_at(clock));
        one.pending = true;
        one.expires = expires;
        one.tick = overdue ? clock : expires;
        one.order = ++armings;
        return was_pending;
    }

    /// At the timer's own expiry; a pending one stays as it is.
    void add(unsigned i, jiffies_t clock)
    {
        if (!timer[i].pending) {
            (void)mod(i, timer[i].expires, clock);
        }
    }

    int mod_pending(unsigned i, jiffies_t expires, jiffies_t clock)
    {
        return timer[i].pending ? mod(i, expires, clock) : 0;
    }

    int mod_idle(unsigned i, jiffies_t expires, jiffies_t clock)
    {
        return timer[i].pending ? 1 : mod(i, expires, clock);
    }

    int reduce(unsigned i, jiffies_t expires, jiffies_t clock)
    {
        if (timer[i].pending && !before(expires, timer[i].expires)) {
            return 1;
        }
        return mod(i, expires, clock);
    }

    int remove(unsigned i)
    {
        const int was_pending = timer[i].pending;
        timer[i].pending = false;
        return was_pending;
    }

    int try_to_remove(unsigned i)
    {
        return current == i ? -1 : remove(i);
    }

    void shut_down(unsigned i)
    {
        timer[i].set_up = false;
    }

    void count_ticks(uint32_t ticks)
    {
        count += ticks;
    }

    /// A tick may say 1 without need, so what it said is asked for, not told.
    void look(int said)
    {
        if (said == 0) {
            sound = sound && !due();
            if (!running) {
                finished = now();
            }
        }
    }

    /// So many callbacks at most.
    unsigned run(unsigned budget = ~0u)
    {
        unsigned ran = 0;
        point();
        if (running) {
            return 0;
        }
        running = true;
        point();
        while (due() && ran != budget) {
            current = earliest();
            timer[current].pending = false;
            draining = true;
            drained = timer[current].tick;
            // The boundary that cannot be closed: off the wheel, and not yet called.
            point();
            const jiffies_t at = now();
            // The callback reads the time first, and then writes it down.
            point();
            log.add(current, at);
            ++ran;
            point();
            if (callback != nullptr) {
                callback(*this, current);
            }
            ++log.returned;
            returning = true;
            point();
            current = no_timer;
            point();
            returning = false;
            point();
        }
        finished = due() ? timer[earliest()].tick - 1 : now();
        draining = false;
        running = false;
        point();
        return ran;
    }

    int next_expiry(uint64_t &value) const
    {
        const unsigned first = earliest(false);
        if (first == no_timer) {
            return 0;
        }
        value = timer[first].tick;
        return 1;
    }
};

} // namespace sweep

#endif
