// SPDX-License-Identifier: MIT
// The seals and checks of a list, in a debug build. A list is one slot: if a link is overwritten, it drops all
// timers.
#ifndef TICKWHEEL_LIST_DEBUG_HPP
#define TICKWHEEL_LIST_DEBUG_HPP

#include <stdint.h>

#include "../wheel/debug.hpp"
#include "ordered_list.hpp"

#if TICKWHEEL_DEBUG

namespace tickwheel
{

/// A list that seals what it changes. Its end has no seal.
template <>
struct sealed_slots<ordered_list> : wheel_slots<ordered_list> {
    using plain = wheel_slots<ordered_list>;

    /// What the check_preemption() of the lock keeps from tick to run.
    uint32_t ticked_in = 0;

    /// @{ As that of wheel_slots.
    void append(const list_place &place, timer_list *timer)
    {
        plain::append(place, timer);
        seal(timer->prev, this);
        seal(timer->next, this);
        seal(timer, this);
    }
    void unlink_for_requeue(timer_list *timer)
    {
        plain::unlink_for_requeue(timer);
        seal(timer->prev, this);
        seal(timer->next, this);
    }
    void detach(timer_list *timer)
    {
        unlink_for_requeue(timer);
        timer->prev = nullptr;
    }
    /// @}

    /// Whether a timer is sealed, and both neighbours link back.
    bool is_sound(const timer_list *timer) const
    {
        return is_sealed(timer, this) && is_end_or_sealed(timer->prev) && timer->prev->next == timer &&
               is_end_or_sealed(timer->next) && timer->next->prev == timer;
    }

    /// Forgets every timer, without following a link. Returns the one that was first.
    const timer_list *drop()
    {
        const timer_list *const first = ends.next;
        reset();
        return first;
    }

private:
    bool is_end_or_sealed(const timer_list *timer) const
    {
        return timer == &ends || is_sealed(timer, this);
    }
};

template <>
inline const char *debug_checks<ordered_list>::misuse_of_timer(const slots_of<ordered_list> &list,
                                                               const timer_list *timer)
{
    if (timer == nullptr) {
        return misuse_of_pointer(timer);
    }
    if (timer->prev == nullptr || list.is_sound(timer)) {
        return nullptr;
    }
    return is_sealed(timer, &list) ? overwritten_links : not_in_this_wheel;
}

template <>
inline const char *debug_checks<ordered_list>::misuse_of_step(const slots_of<ordered_list> &list,
                                                              const timer_list *timer, const timer_list *before,
                                                              unsigned /*slot*/)
{
    return is_sealed(timer, &list) && timer->prev == before ? nullptr : overwritten_links;
}

template <>
inline const char *debug_checks<ordered_list>::misuse_of_init(const slots_of<ordered_list> &list)
{
    if (list.running_timer != nullptr) {
        return "tickwheel_init: the wheel is running";
    }
    return list.ends.next != &list.ends ? "tickwheel_init: a timer is pending" : nullptr;
}

/// Looks at all timers, because the search of an arm may do so too.
template <>
template <class Place>
inline const timer_list *debug_checks<ordered_list>::drop_overwritten_youngest(slots_of<ordered_list> &list,
                                                                               Place /*place*/)
{
    for (const timer_list *timer = list.ends.prev; timer != &list.ends; timer = timer->prev) {
        if (!list.is_sound(timer)) {
            return list.drop();
        }
    }
    return nullptr;
}

template <>
inline const timer_list *debug_checks<ordered_list>::drop_overwritten_oldest(slots_of<ordered_list> &list,
                                                                             unsigned /*slot*/)
{
    return list.ends.next == &list.ends || list.is_sound(list.ends.next) ? nullptr : list.drop();
}

} // namespace tickwheel

#endif

#endif
