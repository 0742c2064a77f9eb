// SPDX-License-Identifier: MIT
// The oracle of the watched timers. Every operation on such a timer runs with interrupts masked, together with the
// reference model. The model therefore predicts each return value and the order of firing. Only the runner works on
// watched timers unmasked. It may have detached one and not called it yet: that timer is pending in the model and not
// in the wheel.
#ifndef TICKWHEEL_TEST_STRESS_WATCHED_HPP
#define TICKWHEEL_TEST_STRESS_WATCHED_HPP

#include "../calls.hpp"
#include "state.hpp"

namespace stress
{

struct watched_timers : support::reference_model<watched_count> {
    /// The runner has detached the timer and not called it yet.
    bool popped[watched_count] = {};
    /// The last timer that fired, as it was armed.
    entry last = {};

    /// timer_jiffies, by its definition.
    int64_t clock()
    {
        now = static_cast<int64_t>(tickwheel_get_jiffies_64());
        const int64_t next = tick_of(tickwheel_clock.next_run);
        return next < now + 1 ? next : now + 1;
    }

    /// Compares a timer with the wheel, before and after every operation.
    void agree(unsigned i)
    {
        const unsigned number = common_count + i;
        const bool pending = tickwheel_timer_pending(&timers[number]) != 0;
        taken = runner_holds(timers[number]) ? i : support::no_timer;
        if (timer[i].pending && !pending && !popped[i]) {
            check(taken == i, "armed, and neither pending nor about to be called", number);
            timer[i].pending = false;
            popped[i] = true;
            popped_at[i] = timer[i];
        }
        check(timer[i].pending == pending, "pending is wrong", number);
    }

    /// Call this at the entry of the callback.
    void fired(unsigned i)
    {
        const unsigned number = common_count + i;
        agree(i);
        const entry &is = popped_at[i];
        check(popped[i], "fired without having been armed", number);
        check(!before(jiffies, static_cast<jiffies_t>(is.tick)), "fired early", number);
        check(last.tick == is.tick ? last.order < is.order : last.tick < is.tick, "fired out of order", number);
        popped[i] = false;
        last = is;
    }

    int shut_down(unsigned i, bool sync)
    {
        disable(i);
        return sync ? timer_delete_sync(i) : timer_delete(i);
    }

private:
    entry popped_at[watched_count] = {};
};
inline watched_timers watched;

} // namespace stress

#endif
