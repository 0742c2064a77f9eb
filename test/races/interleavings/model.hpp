// SPDX-License-Identifier: MIT
// What the contract says of three timers and a runner: a row of timers, no wheel.
// Each function is one atomic step; whoever plays an interleaving takes the steps
// in the order in which the wheel took them. Ticks are counted in 64 bits, so that
// here nothing wraps.
#ifndef TICKWHEEL_TEST_INTERLEAVINGS_MODEL_HPP
#define TICKWHEEL_TEST_INTERLEAVINGS_MODEL_HPP

#include <stdint.h>

#include <tickwheel/jiffies.h>

namespace interleavings
{

/// Two that everything is done to, and one that only stands by.
enum timer_name : unsigned { timer_a, timer_b, bystander, timer_count };
constexpr unsigned no_timer = timer_count;

struct model {
    struct entry {
        bool pending = false;
        bool shut_down = false;
        bool deferrable = false;
        jiffies_t expires = 0;
        /// In which it fires.
        int64_t tick = 0;
        /// Grows with each arming.
        unsigned order = 0;
    };

    entry timer[timer_count];
    int64_t now = 0;
    /// The earliest that timer_jiffies may be: the tick after the last one that was taken from or found to be done.
    int64_t floor = 1;
    bool running = false;
    /// The timer that the runner has taken, until its callback is over, and whether that has begun.
    unsigned taken = no_timer;
    bool called = false;
    unsigned armings = 0;

    void start(jiffies_t at)
    {
        *this = model();
        now = at;
        floor = now + 1;
    }

    /// The tick that `jiffies` names; what lies 2^31 or more away reads as past.
    int64_t tick_of(jiffies_t moment) const
    {
        return now + static_cast<int32_t>(moment - static_cast<jiffies_t>(now));
    }

    /// The first in the order of ticks and then of arming; no_timer when none is pending.
    unsigned earliest(bool deferrable_too = true) const
    {
        unsigned best = no_timer;
        for (unsigned i = 0; i < timer_count; ++i) {
            if (timer[i].pending && (deferrable_too || !timer[i].deferrable) &&
                (best == no_timer || timer[i].tick < timer[best].tick ||
                 (timer[i].tick == timer[best].tick && timer[i].order < timer[best].order))) {
                best = i;
            }
        }
        return best;
    }

    bool due() const
    {
        const unsigned first = earliest();
        return first != no_timer && timer[first].tick <= now;
    }

    /// Whether timer_jiffies may be this. During a callback there is no choice; else it may have passed ticks that
    /// have no timer.
    bool may_stand_at(int64_t clock) const
    {
        int64_t ceiling = taken != no_timer ? floor : now + 1;
        for (const entry &each : timer) {
            if (each.pending && each.tick >= floor && each.tick < ceiling) {
                ceiling = each.tick;
            }
        }
        return clock >= floor && clock <= ceiling;
    }

    /// `clock` is timer_jiffies.
    int mod_timer(unsigned i, jiffies_t expires, int64_t clock)
    {
        entry &each = timer[i];
        if (each.shut_down) {
            return 0;
        }
        const int was_pending = each.pending;
        if (!was_pending || each.expires != expires) {
            each.pending = true;
            each.expires = expires;
            each.tick = tick_of(expires) < clock ? clock : tick_of(expires);
            each.order = ++armings;
        }
        return was_pending;
    }

    /// A pending timer: misuse, left as it is.
    void add_timer(unsigned i, int64_t clock)
    {
        if (!timer[i].pending) {
            (void)mod_timer(i, timer[i].expires, clock);
        }
    }

    int mod_timer_pending(unsigned i, jiffies_t expires, int64_t clock)
    {
        return timer[i].pending ? mod_timer(i, expires, clock) : 0;
    }

    int timer_reduce(unsigned i, jiffies_t expires, int64_t clock)
    {
        if (timer[i].pending && static_cast<int32_t>(expires - timer[i].expires) >= 0) {
            return 1;
        }
        return mod_timer(i, expires, clock);
    }

    int timer_delete(unsigned i)
    {
        const int was_pending = timer[i].pending;
        timer[i].pending = false;
        return was_pending;
    }

    int try_to_delete(unsigned i)
    {
        return taken == i ? -1 : timer_delete(i);
    }

    int next_expiry(int64_t &tick) const
    {
        const unsigned first = earliest(false);
        if (first == no_timer) {
            return 0;
        }
        tick = timer[first].tick;
        return 1;
    }

    /// A tick has said that there is no work. Returns whether it may.
    bool found_nothing()
    {
        if (!running) {
            floor = now + 1;
        }
        return !due();
    }

    /// The runner takes a timer off the wheel. Returns whether it may.
    bool take(unsigned i)
    {
        if (!running || taken != no_timer || i != earliest() || !due()) {
            return false;
        }
        timer[i].pending = false;
        floor = timer[i].tick + 1;
        taken = i;
        called = false;
        return true;
    }

    /// The run is over. Returns whether it may be, after the last callback of its budget or not.
    bool stop_running(bool spent)
    {
        running = false;
        if (due()) {
            floor = timer[earliest()].tick;
            return spent;
        }
        floor = now + 1;
        return true;
    }
};

} // namespace interleavings

#endif
