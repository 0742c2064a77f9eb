// SPDX-License-Identifier: MIT
// A debug build (TICKWHEEL_DEBUG=1) seals each pending timer: a sum over its links, tick, slot, flag, function,
// address and wheel. It checks each call, and each link before the wheel follows it: a link counts only if the
// timer's seal is right, so the wheel never follows an overwritten link.
//
// A check takes constant time and is called with the lock held. It reads a timer and its neighbours, and returns null
// or the message for tickwheel_bug(). Other builds choose no_checks, which compile to nothing.
#ifndef TICKWHEEL_DEBUG_HPP
#define TICKWHEEL_DEBUG_HPP

#include <stdint.h>

#include <tickwheel/timer_state.h>

#include "slots.hpp"

namespace tickwheel
{

/// Reports a fault, unless it is null. Called with the lock open. Returns true if there was one.
inline bool report_misuse(const char *fault, const timer_list *timer)
{
    // At -O0 a build without the checks must not contain a call of tickwheel_bug().
    if (TICKWHEEL_DEBUG && fault != nullptr) {
        tickwheel_bug(fault, timer);
    }
    return fault != nullptr;
}

/// The same with the lock held. If there was a fault, it releases the lock.
template <class Lock, class State>
bool unlock_and_report_misuse(const char *fault, const timer_list *timer, State irq)
{
    if (fault != nullptr) {
        Lock::irq_restore(irq);
    }
    return report_misuse(fault, timer);
}

constexpr char overwritten_links[] = "the links of a slot are overwritten";

/// Reports a dropped slot by its oldest timer, or nothing if that is null. Called with the lock open.
inline void report_dropped(const timer_list *oldest)
{
    (void)report_misuse(oldest == nullptr ? nullptr : overwritten_links, oldest);
}

/// The same with the lock held. It opens the lock meanwhile.
template <class Lock, class State>
void report_dropped(const timer_list *oldest, State irq)
{
    if (oldest != nullptr) {
        Lock::irq_restore(irq);
        report_dropped(oldest);
        Lock::irq_mask_all();
    }
}

/// TICKWHEEL_DEBUG=0: no check finds a fault, and a compiler leaves all of them out.
struct no_checks {
    template <class Lock>
    static constexpr void check_caller(int)
    {
    }
    template <class Lock, class Slots>
    static constexpr void check_preemption(const Slots &, bool, int)
    {
    }
    struct no_timer {
        template <class... Any>
        constexpr const timer_list *operator()(const Any &...) const
        {
            return nullptr;
        }
    };
    struct no_misuse {
        template <class... Any>
        constexpr const char *operator()(const Any &...) const
        {
            return nullptr;
        }
    };
    static constexpr no_timer drop_overwritten_youngest = {};
    static constexpr no_timer drop_overwritten_oldest = {};
    static constexpr no_misuse misuse_of_arm = {};
    static constexpr no_misuse misuse_of_timer = {};
    static constexpr no_misuse misuse_of_add = {};
    static constexpr no_misuse misuse_of_delete_sync = {};
    static constexpr no_misuse misuse_of_step = {};
    static constexpr no_misuse misuse_of_advance = {};
    static constexpr no_misuse misuse_of_init = {};
    static constexpr no_misuse misuse_of_pointer = {};
    static constexpr no_misuse misuse_of_setup = {};
};

#if TICKWHEEL_DEBUG

/// An address as 32 bits. On a 64-bit host the upper half counts too. Two shifts: one by 32 is undefined on 32 bits.
inline uint32_t address_bits(uintptr_t address)
{
    return static_cast<uint32_t>(address) ^ static_cast<uint32_t>(address >> 16 >> 16);
}

/// The seal of a timer that is pending in the wheel at `wheel`.
inline uint32_t seal_of(const timer_list *timer, const void *wheel)
{
    const uint32_t words[] = {
        address_bits(reinterpret_cast<uintptr_t>(wheel)),
        address_bits(reinterpret_cast<uintptr_t>(timer)),
        address_bits(reinterpret_cast<uintptr_t>(timer->next)),
        address_bits(reinterpret_cast<uintptr_t>(timer->prev)),
        address_bits(reinterpret_cast<uintptr_t>(timer->function)),
        timer->expires,
        // Not `enabled`: a shutdown clears that without the lock.
        static_cast<uint32_t>(timer->slot) | static_cast<uint32_t>(timer->deferrable) << 16,
    };
    uint32_t sum = 0;
    for (const uint32_t word : words) {
        sum = (sum << 7 | sum >> 25) + word;
    }
    return sum;
}

/// True if the wheel wrote this timer last.
inline bool is_sealed(const timer_list *timer, const void *wheel)
{
    return timer->prev != nullptr && timer->seal == seal_of(timer, wheel);
}

/// Called after each change of a pending timer.
inline void seal(timer_list *timer, const void *wheel)
{
    timer->seal = seal_of(timer, wheel);
}

/// Slots that seal what they change.
template <class Geometry>
struct sealed_slots : wheel_slots<Geometry> {
    using plain = wheel_slots<Geometry>;
    using plain::first;

    /// What the check_preemption() of the lock keeps from tick to run.
    uint32_t ticked_in;

    /// @{ As that of wheel_slots.
    void append(unsigned slot, timer_list *timer)
    {
        plain::append(slot, timer);
        seal(timer->prev, this);
        seal(first[slot], this);
        seal(timer, this);
    }
    void prepend(unsigned slot, timer_list *timer)
    {
        plain::prepend(slot, timer);
        seal_unless_null(timer->next);
        seal(timer, this);
    }
    void detach_oldest(unsigned slot, timer_list *oldest)
    {
        plain::detach_oldest(slot, oldest);
        seal_unless_null(first[slot]);
    }
    timer_list *take_youngest(unsigned slot, timer_list *oldest)
    {
        timer_list *const youngest = plain::take_youngest(slot, oldest);
        if (first[slot] != nullptr) {
            seal(oldest->prev, this);
            seal(oldest, this);
        }
        return youngest;
    }
    void unlink_for_requeue(timer_list *timer)
    {
        timer_list *const older = timer->prev;
        timer_list *const younger = timer->next;
        const bool was_oldest = older->next == nullptr;
        plain::unlink_for_requeue(timer);
        if (was_oldest) {
            seal_unless_null(younger);
        } else {
            seal(older, this);
            seal(younger != nullptr ? younger : first[timer->slot], this);
        }
    }
    void move_lone(unsigned from, unsigned to, timer_list *timer)
    {
        plain::move_lone(from, to, timer);
        seal(timer, this);
    }
    void detach(timer_list *timer)
    {
        unlink_for_requeue(timer);
        timer->prev = nullptr;
        this->change_token = timer;
    }
    /// @}

private:
    void seal_unless_null(timer_list *timer)
    {
        if (timer != nullptr) {
            seal(timer, this);
        }
    }
};

/// TICKWHEEL_DEBUG=1.
template <class Geometry>
struct debug_checks {
    static constexpr char not_in_this_wheel[] =
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

    /// A lock may have a check_preemption() that reports a run which the tick cannot interrupt. Called in a tick, and
    /// at the start of a run.
    template <class Lock>
    static auto check_preemption(sealed_slots<Geometry> &slots, bool in_run, int)
        -> decltype(Lock::check_preemption(slots.ticked_in, in_run))
    {
        Lock::check_preemption(slots.ticked_in, in_run);
    }
    template <class Lock>
    static void check_preemption(const sealed_slots<Geometry> &, bool, long)
    {
    }

    /// A timer that is about to be armed; `needs_enabled`: misuse after a shutdown.
    static const char *misuse_of_arm(const sealed_slots<Geometry> &slots, const timer_list *timer, bool needs_enabled)
    {
        if (timer == nullptr) {
            return misuse_of_pointer(timer);
        }
        if (timer->enabled > 1 || timer->function == nullptr) {
            return "arming a timer that was never set up";
        }
        // A callback's arm of its own timer after a shutdown is ignored on purpose.
        if (needs_enabled && timer->enabled == 0 && slots.running_timer != timer) {
            return "arming a timer that is shut down";
        }
        return misuse_of_timer(slots, timer);
    }

    /// A timer that is about to be looked at, and if it is pending, to be unlinked.
    static const char *misuse_of_timer(const sealed_slots<Geometry> &slots, const timer_list *timer)
    {
        if (timer == nullptr) {
            return misuse_of_pointer(timer);
        }
        if (timer->prev == nullptr) {
            return nullptr;
        }
        const unsigned slot = timer->slot;
        if (!is_sealed(timer, &slots) || slot >= Geometry::slot_count) {
            return not_in_this_wheel;
        }
        // The slot may have been emptied after a report: then its head is null, or another list's.
        const timer_list *const oldest = slots.first[slot];
        if (oldest == nullptr || !is_in_slot(slots, oldest, slot)) {
            return overwritten_links;
        }
        const timer_list *const older = timer->prev;
        const timer_list *const younger = timer->next;
        const bool older_agrees = timer == oldest ? is_in_slot(slots, older, slot) && older->next == nullptr
                                                  : is_in_slot(slots, older, slot) && older->next == timer;
        const bool younger_agrees =
            younger == nullptr ? oldest->prev == timer : is_in_slot(slots, younger, slot) && younger->prev == timer;
        return older_agrees && younger_agrees ? nullptr : overwritten_links;
    }

    /// A step of a search along a slot, to `timer`; `older` is null at the first step.
    static const char *misuse_of_step(const sealed_slots<Geometry> &slots, const timer_list *timer,
                                      const timer_list *older, unsigned slot)
    {
        const bool sound = is_in_slot(slots, timer, slot) && (older == nullptr || timer->prev == older) &&
                           (older == nullptr) == (slots.first[slot] == timer);
        return sound ? nullptr : overwritten_links;
    }

    /// tickwheel_add_timer() has found the timer pending, or not.
    static const char *misuse_of_add(int was_pending)
    {
        return was_pending > 0 ? "tickwheel_add_timer: pending" : nullptr;
    }

    /// A synchronous delete that returned -1.
    static const char *misuse_of_delete_sync(int deleted)
    {
        return deleted < 0 ? "tickwheel_timer_delete_sync: its callback runs below the caller" : nullptr;
    }

    /// `ticks` are about to be counted at once.
    static const char *misuse_of_advance(const clock_of<Geometry> &clock, uint32_t ticks)
    {
        const uint32_t counted = clock.jiffies + 1 - clock.next_run;
        const uint32_t lag = counted >> 31 != 0 ? 0 : counted;
        return ticks >> 31 != 0 || (lag + ticks) >> 31 != 0 ? "tickwheel_advance: a lag of 2^31 ticks or more"
                                                            : nullptr;
    }

    /// The wheel is about to be emptied.
    static const char *misuse_of_init(const sealed_slots<Geometry> &slots)
    {
        if (slots.running_timer != nullptr) {
            return "tickwheel_init: the wheel is running";
        }
        for (const timer_list *oldest : slots.first) {
            if (oldest != nullptr) {
                return "tickwheel_init: a timer is pending";
            }
        }
        return nullptr;
    }

    /// A timer, or the place for a result.
    static const char *misuse_of_pointer(const void *pointer)
    {
        return pointer == nullptr ? "a null pointer" : nullptr;
    }

    /// Storage that is about to become an idle timer. The seal tells a pending timer from memory of any content.
    static const char *misuse_of_setup(const sealed_slots<Geometry> &slots, const timer_list *timer)
    {
        if (timer == nullptr) {
            return misuse_of_pointer(timer);
        }
        return timer->prev != nullptr && misuse_of_timer(slots, timer) == nullptr ? "tickwheel_timer_setup: pending"
                                                                                  : nullptr;
    }

    /// Empties a slot if the links at its youngest timer are overwritten, because they may lead anywhere. Called
    /// before a timer is appended to the slot, or its youngest is taken. Returns the oldest timer if the slot was
    /// emptied, else null.
    template <class Slot>
    static const timer_list *drop_overwritten_youngest(sealed_slots<Geometry> &slots, Slot slot)
    {
        return youngest_is_sound(slots, slot) ? nullptr : drop(slots, slot);
    }

    /// The same at its oldest timer, before a timer is prepended or the oldest called.
    static const timer_list *drop_overwritten_oldest(sealed_slots<Geometry> &slots, unsigned slot)
    {
        return oldest_is_sound(slots, slot) ? nullptr : drop(slots, slot);
    }

private:
    static bool youngest_is_sound(const wheel_slots<Geometry> &slots, unsigned slot)
    {
        const timer_list *const oldest = slots.first[slot];
        if (oldest == nullptr) {
            return true;
        }
        const timer_list *const youngest = is_in_slot(slots, oldest, slot) ? oldest->prev : nullptr;
        if (youngest == nullptr || !is_in_slot(slots, youngest, slot) || youngest->next != nullptr) {
            return false;
        }
        const timer_list *const older = youngest->prev;
        return youngest == oldest || (is_in_slot(slots, older, slot) && older->next == youngest);
    }

    static bool oldest_is_sound(const wheel_slots<Geometry> &slots, unsigned slot)
    {
        const timer_list *const oldest = slots.first[slot];
        if (oldest == nullptr) {
            return true;
        }
        if (!is_in_slot(slots, oldest, slot)) {
            return false;
        }
        const timer_list *const younger = oldest->next;
        return younger == nullptr ? oldest->prev == oldest
                                  : is_in_slot(slots, younger, slot) && younger->prev == oldest;
    }

    /// Empties a slot without following a link. Returns its oldest timer.
    static const timer_list *drop(wheel_slots<Geometry> &slots, unsigned slot)
    {
        const timer_list *const oldest = slots.first[slot];
        slots.first[slot] = nullptr;
        slots.change_token = oldest;
        return oldest;
    }

    static bool is_in_slot(const wheel_slots<Geometry> &slots, const timer_list *timer, unsigned slot)
    {
        return timer->slot == slot && is_sealed(timer, &slots);
    }
};

/// @{ The slots and the checks of this build.
template <class Geometry>
using slots_of = sealed_slots<Geometry>;
template <class Geometry>
using checks_of = debug_checks<Geometry>;

#else

template <class Geometry>
using slots_of = wheel_slots<Geometry>;
template <class Geometry>
using checks_of = no_checks;
/// @}

#endif

} // namespace tickwheel

#endif
