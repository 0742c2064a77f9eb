// SPDX-License-Identifier: MIT
// The oracle of the watched timers. Every operation on such a timer runs with
// interrupts masked, together with this bookkeeping. The oracle therefore predicts
// each return value and the order of firing. Only the runner works on watched
// timers unmasked. It may have detached one and not called it yet: that timer is
// armed here and no longer pending in the wheel.
#ifndef TICKWHEEL_TEST_STRESS_WATCHED_HPP
#define TICKWHEEL_TEST_STRESS_WATCHED_HPP

#include "state.hpp"

namespace stress
{

/// timer_jiffies, by its definition.
inline jiffies_t wheel_clock()
{
    const jiffies_t upcoming = jiffies + 1;
    const jiffies_t next = tickwheel_clock.next_event;
    return before(next, upcoming) ? next : upcoming;
}

/// When a timer fires: its tick, and its place in the order of arming.
struct turn {
    jiffies_t tick;
    uint32_t arming;

    bool before(const turn &other) const
    {
        return tick == other.tick ? static_cast<int32_t>(arming - other.arming) < 0
                                  : stress::before(tick, other.tick);
    }
};

struct watched {
    bool armed;
    /// The runner has detached it and not called it yet.
    bool popped;
    bool shut;
    jiffies_t expires;
    turn at;
    turn popped_at;

    static inline uint32_t armings;
    /// The last timer that fired.
    static inline turn last;

    /// Compares with the wheel, before and after every operation.
    void agree(const timer_list &timer, unsigned number)
    {
        const bool pending = tickwheel_timer_pending(&timer) != 0;
        if (armed && !pending && !popped) {
            check(runner_holds(timer), "armed, and neither pending nor about to be called", number);
            armed = false;
            popped = true;
            popped_at = at;
        }
        check(armed == pending, "pending is wrong", number);
    }

    /// Call this at the entry of the callback.
    void fired(const timer_list &timer, unsigned number)
    {
        agree(timer, number);
        check(popped, "fired without having been armed", number);
        check(!before(jiffies, popped_at.tick), "fired early", number);
        check(last.before(popped_at), "fired out of order", number);
        popped = false;
        last = popped_at;
    }

    // The calls return what the wheel must return. Call them before the wheel.

    int mod(jiffies_t wanted)
    {
        const int was = armed;
        if (!shut && !(armed && wanted == expires)) {
            const jiffies_t clock = wheel_clock();
            armed = true;
            expires = wanted;
            at = {before(wanted, clock) ? clock : wanted, ++armings};
        }
        return was;
    }

    int mod_pending(jiffies_t wanted)
    {
        return armed ? mod(wanted) : 0;
    }

    int reduce(jiffies_t wanted)
    {
        return armed && !before(wanted, expires) ? 1 : mod(wanted);
    }

    int remove()
    {
        const int was = armed;
        armed = false;
        return was;
    }

    int shut_down()
    {
        shut = true;
        return remove();
    }
};

inline watched watches[watched_count];

} // namespace stress

#endif
