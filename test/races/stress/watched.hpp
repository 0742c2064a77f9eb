// SPDX-License-Identifier: MIT
// What is known of a timer on which every operation is done with interrupts
// masked, together with this bookkeeping: everything. Each return value is
// foretold, and so is the order in which such timers fire. Only the runner
// works on them unmasked: it may have taken one and not called it yet, which is
// seen by its being armed here and no longer pending there.
#ifndef TICKWHEEL_TEST_STRESS_WATCHED_HPP
#define TICKWHEEL_TEST_STRESS_WATCHED_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>
#include <tickwheel/wheel.hpp>

namespace stress
{

/// Says what is wrong, and with which timer, or that it concerns none.
constexpr unsigned no_number = ~0u;
void check(bool good, const char *what, unsigned number);

inline bool before(jiffies_t a, jiffies_t b)
{
    return tickwheel_time_before(a, b);
}

/// timer_jiffies, by its definition.
inline jiffies_t wheel_clock()
{
    const jiffies_t tomorrow = tickwheel_clock.jiffies + 1;
    const jiffies_t next = tickwheel_clock.next_event;
    return before(next, tomorrow) ? next : tomorrow;
}

/// When a timer fires: in which tick, and where in the order of arming.
struct turn {
    jiffies_t tick;
    uint32_t arming;

    bool before(const turn &other) const
    {
        return tick == other.tick ? static_cast<int32_t>(arming - other.arming) < 0 : stress::before(tick, other.tick);
    }
};

struct watched {
    bool armed;
    /// Taken by the runner and not called yet.
    bool popped;
    bool shut;
    jiffies_t expires;
    turn at;
    turn popped_at;

    static inline uint32_t armings;
    /// The last that fired.
    static inline turn last;

    /// Before and after every operation.
    void agree(const timer_list &timer, unsigned number)
    {
        const bool pending = tickwheel_timer_pending(&timer) != 0;
        if (armed && !pending && !popped) {
            check(tickwheel_slots.running == &timer, "armed, and neither pending nor about to be called", number);
            armed = false;
            popped = true;
            popped_at = at;
        }
        check(armed == pending, "pending is not what it must be", number);
    }

    /// When the callback is entered.
    void fired(const timer_list &timer, unsigned number)
    {
        agree(timer, number);
        check(popped, "fired without having been armed", number);
        check(!before(jiffies, popped_at.tick), "fired early", number);
        check(last.before(popped_at), "fired out of order", number);
        popped = false;
        last = popped_at;
    }

    /// To be called before the timer is armed, when it is sure to be.
    void arm(jiffies_t wanted)
    {
        const jiffies_t clock = wheel_clock();
        armed = true;
        expires = wanted;
        at = {before(wanted, clock) ? clock : wanted, ++armings};
    }

    /// What mod_timer must return.
    int mod(jiffies_t wanted)
    {
        const int was = armed;
        if (!shut && !(armed && wanted == expires)) {
            arm(wanted);
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

} // namespace stress

#endif
