// SPDX-License-Identifier: MIT
// The checks of a debug build: of each call, and of each link before the wheel follows it. A check takes constant
// time and is called with the lock held. It reads a timer and its neighbours, and follows a link only if the timer's
// seal is right. It returns null, or the message for tickwheel_bug(). TICKWHEEL_DEBUG=0 chooses no_checks, which
// compile to nothing.
#ifndef TICKWHEEL_CHECKS_HPP
#define TICKWHEEL_CHECKS_HPP

#include <stdint.h>

#include <tickwheel/state.hpp>

namespace tickwheel
{

/// Reports a fault, unless it is null. Called with the lock open. Returns true if there was one.
inline bool reported(const char *fault, const timer_list *timer)
{
    // At -O0 no call of tickwheel_bug() may stay where the checks are not built in.
    if (TICKWHEEL_DEBUG && fault != nullptr) {
        tickwheel_bug(fault, timer);
    }
    return fault != nullptr;
}

/// Reports a fault, unless it is null. Called with the lock held. It releases the lock if there was a fault, and
/// returns true then.
template <class Lock, class State>
bool refused(const char *fault, const timer_list *timer, State irq)
{
    if (fault != nullptr) {
        Lock::irq_restore(irq);
    }
    return reported(fault, timer);
}

/// Reports a fault of a slot, unless it is null, and empties the slot: nobody knows where its links lead. Called
/// with the lock held, and returns with it held. Returns true if there was a fault.
template <class Lock, class Lists, class State>
bool dropped(const char *fault, Lists &lists, unsigned slot, State irq)
{
    if (fault != nullptr) {
        const timer_list *const oldest = lists.drop(slot);
        Lock::irq_restore(irq);
        (void)reported(fault, oldest);
        (void)Lock::irq_save();
    }
    return fault != nullptr;
}

/// TICKWHEEL_DEBUG=0: none finds a fault.
struct no_checks {
    template <class Lock>
    static constexpr void check_caller(int)
    {
    }
    struct no_fault {
        template <class... Any>
        constexpr const char *operator()(const Any &...) const
        {
            return nullptr;
        }
    };
    static constexpr const char *overwritten_links = nullptr;
    static constexpr no_fault fault_of_arm = {};
    static constexpr no_fault fault_of_timer = {};
    static constexpr no_fault fault_of_add = {};
    static constexpr no_fault fault_of_sync = {};
    static constexpr no_fault fault_of_youngest = {};
    static constexpr no_fault fault_of_oldest = {};
    static constexpr no_fault fault_of_step = {};
    static constexpr no_fault fault_of_advance = {};
    static constexpr no_fault fault_of_init = {};
    static constexpr no_fault fault_of_pointer = {};
    static constexpr no_fault fault_of_setup = {};
};

#if TICKWHEEL_DEBUG

/// TICKWHEEL_DEBUG=1.
template <class Geometry>
struct list_checks {
    static constexpr char overwritten_links[] = "the links of a slot are overwritten";
    static constexpr char foreign[] =
        "a timer that is not in this wheel: overwritten, never set up, or in another wheel";

    /// A lock may have a check_caller() that reports a caller above the lock's priority. irq_save() calls it itself.
    /// A tick takes no lock, so it calls it here.
    template <class Lock>
    static auto check_caller(int) -> decltype(Lock::check_caller())
    {
        Lock::check_caller();
    }
    template <class Lock>
    static void check_caller(long)
    {
    }

    /// A timer that is about to be armed for `expires`; `needs_enabled`: misuse after a shutdown.
    static const char *fault_of_arm(const wheel_clock &clock, const wheel_slots<Geometry> &lists,
                                    const timer_list *timer, jiffies_t expires, bool needs_enabled)
    {
        if (timer == nullptr) {
            return fault_of_pointer(timer);
        }
        if (timer->enabled > 1 || timer->function == nullptr) {
            return "arming a timer that was never set up";
        }
        // A callback's arm of its own timer after a shutdown is ignored on purpose.
        if (needs_enabled && timer->enabled == 0 && lists.running != timer) {
            return "arming a timer that is shut down";
        }
        if (too_far(clock, expires)) {
            return "a delay and the lag of the runner are 2^31 ticks or more together";
        }
        return fault_of_timer(lists, timer);
    }

    /// A timer that is about to be looked at, and if it is pending, to be unlinked.
    static const char *fault_of_timer(const wheel_slots<Geometry> &lists, const timer_list *timer)
    {
        if (timer == nullptr) {
            return fault_of_pointer(timer);
        }
        if (timer->prev == nullptr) {
            return nullptr;
        }
        const unsigned slot = timer->slot;
        if (!is_sealed(timer, &lists) || slot >= Geometry::slot_count) {
            return foreign;
        }
        // The slot may have been emptied after a report: then its head is null, or another list's.
        const timer_list *const oldest = lists.first[slot];
        if (oldest == nullptr || !hangs(lists, oldest, slot)) {
            return overwritten_links;
        }
        const timer_list *const older = timer->prev;
        const timer_list *const younger = timer->next;
        const bool led_to = timer == oldest ? hangs(lists, older, slot) && older->next == nullptr
                                            : hangs(lists, older, slot) && older->next == timer;
        const bool leads_on =
            younger == nullptr ? oldest->prev == timer : hangs(lists, younger, slot) && younger->prev == timer;
        return led_to && leads_on ? nullptr : overwritten_links;
    }

    /// The list that a timer is about to be appended to, or whose youngest timer is about to be taken.
    static const char *fault_of_youngest(const wheel_slots<Geometry> &lists, unsigned slot)
    {
        const timer_list *const oldest = lists.first[slot];
        if (oldest == nullptr) {
            return nullptr;
        }
        const timer_list *const youngest = hangs(lists, oldest, slot) ? oldest->prev : nullptr;
        if (youngest == nullptr || !hangs(lists, youngest, slot) || youngest->next != nullptr) {
            return overwritten_links;
        }
        const timer_list *const older = youngest->prev;
        return youngest == oldest || (hangs(lists, older, slot) && older->next == youngest) ? nullptr
                                                                                            : overwritten_links;
    }

    /// The list that a timer is about to be prepended to, or whose oldest timer is about to be called.
    static const char *fault_of_oldest(const wheel_slots<Geometry> &lists, unsigned slot)
    {
        const timer_list *const oldest = lists.first[slot];
        if (oldest == nullptr) {
            return nullptr;
        }
        if (!hangs(lists, oldest, slot)) {
            return overwritten_links;
        }
        const timer_list *const younger = oldest->next;
        const bool leads_on =
            younger == nullptr ? oldest->prev == oldest : hangs(lists, younger, slot) && younger->prev == oldest;
        return leads_on ? nullptr : overwritten_links;
    }

    /// A step of a search along a slot, to `timer`; `older` is null at the first step.
    static const char *fault_of_step(const wheel_slots<Geometry> &lists, const timer_list *timer,
                                     const timer_list *older, unsigned slot)
    {
        const bool sound = hangs(lists, timer, slot) && (older == nullptr || timer->prev == older) &&
                           (older == nullptr) == (lists.first[slot] == timer);
        return sound ? nullptr : overwritten_links;
    }

    /// tickwheel_add_timer() has found the timer pending, or not.
    static const char *fault_of_add(int was_pending)
    {
        return was_pending > 0 ? "tickwheel_add_timer: pending" : nullptr;
    }

    /// A synchronous delete that returned -1.
    static const char *fault_of_sync(int deleted)
    {
        return deleted < 0 ? "tickwheel_timer_delete_sync: its callback runs below the caller" : nullptr;
    }

    /// `ticks` are about to be counted at once.
    static const char *fault_of_advance(const wheel_clock &clock, uint32_t ticks)
    {
        const uint32_t lag = lag_of(clock);
        return ticks >> 31 != 0 || (lag + ticks) >> 31 != 0 ? "tickwheel_advance: a lag of 2^31 ticks or more"
                                                            : nullptr;
    }

    /// The wheel is about to be emptied.
    static const char *fault_of_init(const wheel_slots<Geometry> &lists)
    {
        if (lists.running != nullptr) {
            return "tickwheel_init: the wheel is running";
        }
        for (const timer_list *oldest : lists.first) {
            if (oldest != nullptr) {
                return "tickwheel_init: a timer is pending";
            }
        }
        return nullptr;
    }

    /// A timer, or the place for a result.
    static const char *fault_of_pointer(const void *pointer)
    {
        return pointer == nullptr ? "a null pointer" : nullptr;
    }

    /// Storage that is about to become an idle timer. The seal tells a pending timer from memory of any content.
    static const char *fault_of_setup(const wheel_slots<Geometry> &lists, const timer_list *timer)
    {
        if (timer == nullptr) {
            return fault_of_pointer(timer);
        }
        return timer->prev != nullptr && fault_of_timer(lists, timer) == nullptr ? "tickwheel_timer_setup: pending"
                                                                                 : nullptr;
    }

private:
    static bool hangs(const wheel_slots<Geometry> &lists, const timer_list *timer, unsigned slot)
    {
        return timer->slot == slot && is_sealed(timer, &lists);
    }

    /// Ticks counted and not yet run.
    static uint32_t lag_of(const wheel_clock &clock)
    {
        const uint32_t lag = clock.jiffies + 1 - clock.next_event;
        return lag >> 31 != 0 ? 0 : lag;
    }

    /// Any delay is right while the runner lags by less than two blocks.
    static bool too_far(const wheel_clock &clock, jiffies_t expires)
    {
        const uint32_t delay = expires - clock.jiffies;
        const uint32_t lag = lag_of(clock);
        return delay >> 31 == 0 && lag >= Geometry::tvr_size && (delay + lag) >> 31 != 0;
    }
};

#endif

/// The checks of this build.
template <class Geometry>
#if TICKWHEEL_DEBUG
using checks_of = list_checks<Geometry>;
#else
using checks_of = no_checks;
#endif

} // namespace tickwheel

#endif
