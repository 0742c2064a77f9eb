// SPDX-License-Identifier: MIT
// The searches of a list. Without a limit both answers are exact.
#ifndef TICKWHEEL_LIST_SEARCHES_HPP
#define TICKWHEEL_LIST_SEARCHES_HPP

#include "../wheel/next_event.hpp"
#include "../wheel/next_expiry.hpp"
#include "debug.hpp"
#include "ordered_list.hpp"

namespace tickwheel
{

/// The search for the next event: the first timer.
template <>
struct event_search<ordered_list> {
    /// As tickwheel_next_event(), with the lock held.
    static int next_event(const list_clock &clock, const slots_of<ordered_list> &list, jiffies_t *tick)
    {
        const jiffies_t from = clock.next_run - 1;
        const timer_list *const first = list.ends.next;
        if (list.running_timer != nullptr) {
            // A callback runs in this tick.
            *tick = from;
            return 1;
        }
        if (first == &list.ends) {
            return 0;
        }
        // If the first timer is overwritten, a debug build's next run drops the list.
        const bool sound = checks_of<ordered_list>::misuse_of_step(list, first, &list.ends, 0) == nullptr;
        *tick = from + (sound ? list.distance(first, from) : 1);
        return 1;
    }
};

/// The search for the next expiry: the first timer that is not deferrable. It holds the lock to its end.
template <class Lock>
class expiry_search<Lock, ordered_list> {
public:
    expiry_search(const list_clock &clock, const slots_of<ordered_list> &list) : clock_(clock), list_(list)
    {
    }

    /// As tickwheel_next_expiry().
    int next_expiry(jiffies_t *expires)
    {
        return next_expiry_locked(expires, ~0u);
    }

    /// As tickwheel_next_expiry_locked().
    int next_expiry_locked(jiffies_t *tick, unsigned limit)
    {
        const char *fault = nullptr;
        int found = 0;
        const auto irq = Lock::irq_save();
        const jiffies_t from = clock_.next_run - 1;
        const timer_list *before = &list_.ends;
        const timer_list *timer = before->next;
        for (; timer != &list_.ends && found == 0; before = timer, timer = timer->next, --limit) {
            fault = checks_of<ordered_list>::misuse_of_step(list_, timer, before, 0);
            if (fault != nullptr) {
                break;
            }
            if (limit == 0 || !timer->deferrable) {
                *tick = from + list_.distance(timer, from);
                found = limit == 0 ? 2 : 1;
            }
        }
        Lock::irq_restore(irq);
        (void)report_misuse(fault, timer);
        return found;
    }

private:
    const list_clock &clock_;
    const slots_of<ordered_list> &list_;
};

} // namespace tickwheel

#endif
