// SPDX-License-Identifier: MIT
// The contract of `Count` timers and their runner. It is a list of timers and knows no wheel.
//
//   A timer fires in the tick max(expires, timer_jiffies when it was armed).
//   Timers fire in the order of these ticks. Timers of one tick fire in the order of arming.
//
// Each function is one atomic step. A test takes each step when the wheel takes it. The contract leaves the wheel
// some choices: the test then passes what the wheel chose, and the model says whether it may choose that.
// Ticks are counted in 64 bits, so nothing wraps here.
#pragma once

#include <stdint.h>

#include <tickwheel/jiffies.h>

namespace support
{

/// The index of no timer.
constexpr unsigned no_timer = ~0u;

template <unsigned Count>
struct reference_model {
    struct entry {
        bool pending = false;
        /// False after a shutdown.
        bool enabled = true;
        bool deferrable = false;
        jiffies_t expires = 0;
        /// The tick in which it fires.
        int64_t tick = 0;
        /// Grows with each arming.
        unsigned order = 0;
    };

    entry timer[Count];
    /// Ticks counted.
    int64_t now = 0;
    unsigned armings = 0;
    /// The earliest that timer_jiffies may be: the tick after the last one that the runner has begun or finished.
    int64_t earliest_position = 1;
    bool running = false;
    /// The timer that the runner has taken, until its callback has returned.
    unsigned taken = no_timer;
    /// The answer of earliest(), kept because most steps ask for it.
    mutable unsigned soonest = no_timer;
    mutable bool soonest_is_known = true;

    void start(int64_t at)
    {
        *this = reference_model();
        now = at;
        earliest_position = now + 1;
    }

    /// The tick that 32 bits name, within 2^31 of now.
    int64_t tick_of(jiffies_t moment) const
    {
        return now + static_cast<int32_t>(moment - static_cast<jiffies_t>(now));
    }

    // --- What is pending

    /// The pending timer that fires first; no_timer if there is none.
    unsigned earliest() const
    {
        if (!soonest_is_known) {
            soonest = earliest_of(true);
            soonest_is_known = true;
        }
        return soonest;
    }

    unsigned earliest_of(bool deferrable_too) const
    {
        unsigned best = no_timer;
        for (unsigned i = 0; i < Count; ++i) {
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
        return earliest() != no_timer && timer[soonest].tick <= now;
    }

    unsigned pending() const
    {
        unsigned count = 0;
        for (const entry &each : timer) {
            count += each.pending;
        }
        return count;
    }

    /// Returns 0, and leaves `tick`, if there is none.
    int next_expiry(int64_t &tick) const
    {
        const unsigned waking = earliest_of(false);
        if (waking == no_timer) {
            return 0;
        }
        tick = timer[waking].tick;
        return 1;
    }

    // --- Calls, by their names in tickwheel.h. `clock` is timer_jiffies in that moment.

    int mod_timer(unsigned i, jiffies_t expires, int64_t clock)
    {
        entry &each = timer[i];
        if (!each.enabled) {
            return 0;
        }
        const int was_pending = each.pending;
        if (!was_pending || each.expires != expires) {
            each.pending = true;
            each.expires = expires;
            each.tick = tick_of(expires) < clock ? clock : tick_of(expires);
            each.order = ++armings;
            if (i == soonest) {
                soonest_is_known = false;
            } else if (soonest == no_timer || each.tick < timer[soonest].tick) {
                soonest = i;
            }
        }
        return was_pending;
    }

    /// A pending timer stays as it is.
    int mod_timer_idle(unsigned i, jiffies_t expires, int64_t clock)
    {
        if (!timer[i].pending && !timer[i].enabled) {
            return -1;
        }
        return timer[i].pending ? 1 : mod_timer(i, expires, clock);
    }

    /// A pending timer is misuse, and stays as it is.
    void add_timer(unsigned i, int64_t clock)
    {
        (void)mod_timer_idle(i, timer[i].expires, clock);
    }

    int mod_timer_pending(unsigned i, jiffies_t expires, int64_t clock)
    {
        return timer[i].pending ? mod_timer(i, expires, clock) : 0;
    }

    int timer_reduce(unsigned i, jiffies_t expires, int64_t clock)
    {
        const bool later = static_cast<int32_t>(expires - timer[i].expires) >= 0;
        if (timer[i].enabled && timer[i].pending && later) {
            return 1;
        }
        return mod_timer(i, expires, clock);
    }

    /// `first` is not after `last`. Of the ticks of the range it takes the one with the most trailing zero bits.
    int mod_timer_within(unsigned i, jiffies_t first, jiffies_t last, int64_t clock)
    {
        if (timer[i].enabled && timer[i].pending && last - timer[i].expires <= last - first) {
            return 1;
        }
        unsigned zeros = 31;
        while (last - (last >> zeros << zeros) > last - first) {
            --zeros;
        }
        return mod_timer(i, last >> zeros << zeros, clock);
    }

    int timer_delete(unsigned i)
    {
        const int was_pending = timer[i].pending;
        timer[i].pending = false;
        soonest_is_known = soonest_is_known && i != soonest;
        return was_pending;
    }

    /// This is also try_to_del_timer_sync().
    int timer_delete_sync(unsigned i)
    {
        return taken == i ? -1 : timer_delete(i);
    }

    /// The first half of a shutdown; the second is a timer_delete(), or a timer_delete_sync().
    void disable(unsigned i)
    {
        timer[i].enabled = false;
    }

    // --- Ticks and the runner. Each of the three returns whether the wheel may do that.

    /// A tick has said that there is no work.
    bool found_nothing()
    {
        if (!running) {
            earliest_position = now + 1;
        }
        return !due();
    }

    /// The runner takes a timer off the wheel, to call it.
    bool take(unsigned i)
    {
        if (!running || taken != no_timer || i != earliest() || !due()) {
            return false;
        }
        (void)timer_delete(i);
        earliest_position = timer[i].tick + 1;
        taken = i;
        return true;
    }

    /// The run is over. It may leave work only if its budget is spent: it then stays where it stopped.
    bool stop_running(bool spent)
    {
        running = false;
        const bool left = due();
        if (!spent) {
            earliest_position = now + 1;
        } else if (left && timer[earliest()].tick < earliest_position) {
            earliest_position = timer[earliest()].tick;
        }
        return spent || !left;
    }

    /// Whether timer_jiffies may be `clock`. The runner may pass ticks that have no timer. It stays where it is
    /// during a callback, and while a timer of the same tick is left.
    bool may_have_reached(int64_t clock) const
    {
        const bool stays = taken != no_timer || (earliest() != no_timer && timer[soonest].tick < earliest_position);
        const int64_t latest_position = stays ? earliest_position : due() ? timer[soonest].tick : now + 1;
        return clock >= earliest_position && clock <= latest_position;
    }
};

} // namespace support
