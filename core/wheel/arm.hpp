// SPDX-License-Identifier: MIT
// Arm and cancel. An arm chooses the slot of its tick, and appends the timer there. DESIGN.md explains the choice,
// and has the invariants that are cited here as (I3).
#ifndef TICKWHEEL_ARM_HPP
#define TICKWHEEL_ARM_HPP

#include <stdint.h>

#include "debug.hpp"
#include "slots.hpp"

namespace tickwheel
{

/// Which timers a call arms: all, those that are idle, or those that are pending. The wheel ignores all arms after a
/// shutdown. Debug builds report such an arm for `any` and `idle_at_expires` only, because timers that re-arm
/// themselves use the others.
enum class arm_if {
    any,
    /// For add_timer(), whose tick is in `timer->expires` already.
    idle_at_expires,
    idle,
    pending
};

/// @{ When a pending timer moves from its tick to another one. Passed by reference, because GCC at -Og copies two
/// words by memcpy() on cores without unaligned loads.
struct to_another_tick {
    [[gnu::always_inline]] bool moves(jiffies_t from, jiffies_t to) const
    {
        return to != from;
    }
};
struct to_an_earlier_tick {
    [[gnu::always_inline]] bool moves(jiffies_t from, jiffies_t to) const
    {
        // As tickwheel_time_before(to, from).
        return to - from > ~jiffies_t{0} >> 1;
    }
};
/// The range has `width` + 1 ticks, and ends with `last`.
struct outside_range {
    jiffies_t last;
    jiffies_t width;
    [[gnu::always_inline]] bool moves(jiffies_t from, jiffies_t /*to*/) const
    {
        return last - from > width;
    }
};
/// @}

/// Where an arm puts a timer.
template <class Geometry>
struct placement {
    /// Lowers `next_run` to a tick if the runner would come too late for it. Returns the slot of its timer.
    template <class Wheel>
    [[gnu::always_inline]] static unsigned schedule(Wheel &wheel, jiffies_t expires)
    {
        wheel_clock &clock = wheel.clock();
        const jiffies_t now = clock.jiffies;
        // All three ticks count from `jiffies`, so that the comparison is right for any lag.
        const int32_t delay = static_cast<int32_t>(expires - now);
        // A tick that is further ahead is never before `tv1_limit` (I4).
        if (delay <= static_cast<int32_t>(Geometry::tvr_size)) {
            const jiffies_t next = clock.next_run;
            // Not above 0 if a tick is due.
            const int32_t next_delay = static_cast<int32_t>(next - now);
            if (delay < next_delay) {
#if TICKWHEEL_ARM_RUNNING_TICK
                // While a callback of tick `next_run` - 1 runs, the runner will read the slot of that tick again.
                if (expires == next - 1 && wheel.slots().running_timer != nullptr &&
                    wheel.slots().running_timer != wheel.slots().between_callbacks()) {
                    return Geometry::tv1_slot(expires);
                }
#endif
                // The runner would come too late, or not at all. A timer for now or the past therefore fires in
                // `timer_jiffies` = min(next_run, jiffies + 1) (I5). `next_run` is always before `tv1_limit`.
                if (delay <= 0) {
                    expires = now + static_cast<jiffies_t>(next_delay > 0 ? 1 : next_delay);
                }
                clock.next_run = expires;
                return Geometry::tv1_slot(expires);
            }
            if (delay < static_cast<int32_t>(clock.tv1_limit - now)) {
                return Geometry::tv1_slot(expires);
            }
        }
        return Geometry::upper_slot(expires, expires - clock.next_block);
    }
};

/// The calls of a wheel that arm a timer, and the one that cancels it. Wheel provides clock(), slots() and the
/// hooks.
template <class Lock, class Geometry, class Wheel>
class arming {
    using irq_state = decltype(Lock::irq_save());
    using checks = checks_of<Geometry>;

public:
    /// Arms or moves a timer. At -O2 each call has its own body, because a shared one would mask for longer.
    template <arm_if Which, class Moves>
    [[gnu::always_inline]] static int arm(Wheel &wheel, timer_list *timer, jiffies_t expires, const Moves &when)
    {
        const irq_state irq = Lock::irq_save();
        if (Which == arm_if::idle_at_expires && (!TICKWHEEL_DEBUG || timer != nullptr)) {
            // Read under the lock: an interrupt just before may arm the timer for another tick.
            expires = timer->expires;
        }
        constexpr bool needs_enabled = Which == arm_if::any || Which == arm_if::idle_at_expires;
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_arm(wheel.slots(), timer, needs_enabled), timer, irq)) {
            return 0;
        }
        if (Which != arm_if::any && is_pending(timer) != (Which == arm_if::pending)) {
            leave_and_unlock(wheel, timer, irq);
            // 1: it was pending, and stays so. 0: it was idle.
            return Which != arm_if::pending;
        }
        if (Which == arm_if::idle && !timer->enabled) {
            Lock::irq_restore(irq);
            return -1;
        }
        return move_or_place_and_unlock(wheel, timer, expires, irq, when);
    }

    /// As wheel::arm_idle_with(): an interrupt sees the whole start or nothing.
    static bool arm_idle_with(Wheel &wheel, timer_list *timer, jiffies_t expires, void (*function)(timer_list *),
                              shared_word &word, uint32_t value)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_arm(wheel.slots(), timer, false), timer, irq)) {
            return true;
        }
        if (is_pending(timer) || !timer->enabled) {
            Lock::irq_restore(irq);
            return false;
        }
        timer->function = function;
        word = value;
        (void)place_and_unlock(wheel, timer, expires, irq, 0);
        return true;
    }

    /// As tickwheel_timer_reduce(), but does nothing if `deadline` has become another tick.
    [[gnu::noinline]] static void arm_if_deadline_is(Wheel &wheel, timer_list *timer, jiffies_t expires,
                                                     const shared_word &deadline)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_arm(wheel.slots(), timer, false), timer, irq)) {
            return;
        }
        // A pending timer need not be enabled: the shutdown is about to delete it, or its callback does nothing.
        const bool was_pending = is_pending(timer);
        const bool arms = was_pending ? to_an_earlier_tick().moves(timer->expires, expires) : timer->enabled != 0;
        if (!arms || deadline != expires) {
            Lock::irq_restore(irq);
            return;
        }
        if (was_pending) {
            wheel.slots().unlink_for_requeue(timer);
        }
        (void)place_and_unlock(wheel, timer, expires, irq, was_pending);
    }

    /// As tickwheel_timer_delete().
    static int cancel(Wheel &wheel, timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_timer(wheel.slots(), timer), timer, irq)) {
            return 0;
        }
        if (!is_pending(timer)) {
            Lock::irq_restore(irq);
            return 0;
        }
        wheel.slots().detach(timer);
        wheel.cancelled(timer);
        Lock::irq_restore(irq);
        return 1;
    }

    /// As wheel::end_wait().
    static bool end_wait(Wheel &wheel, timer_list *timer, shared_word &deadline, bool in_callback)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_timer(wheel.slots(), timer), timer, irq)) {
            return false;
        }
        const jiffies_t tick = deadline;
        const bool waited = is_waiting(timer);
        if (waited && in_callback) {
            // The run is at the tick before `next_run` (I5). All ticks count from `jiffies`, so that the
            // comparison is right for any lag.
            const jiffies_t now = wheel.clock().jiffies;
            if (static_cast<int32_t>(tick - now) >= static_cast<int32_t>(wheel.clock().next_run - now)) {
                Lock::irq_restore(irq);
                arm_if_deadline_is(wheel, timer, tick, deadline);
                return false;
            }
        }
        if (waited) {
            (void)cancel(wheel, timer);
            timer->expires = tick;
            timer->slot = not_waiting;
            // A restart for this deadline that is under way must not arm. No restart has a deadline
            // 2^31 ticks after another one.
            deadline = tick + (1u << 31);
        }
        Lock::irq_restore(irq);
        return waited;
    }

private:
    static bool is_pending(const timer_list *timer)
    {
        return timer->prev != nullptr;
    }

    // An arm changes nothing. If it has interrupted another one before its end, the alarm of a pending timer is not
    // set yet. Called with the lock held. Restores the mask to `irq`.
    [[gnu::always_inline]] static void leave_and_unlock(Wheel &wheel, timer_list *timer, irq_state irq)
    {
        const bool pending = is_pending(timer);
        const jiffies_t expires = timer->expires;
        Lock::irq_restore(irq);
        if (__builtin_expect(pending, 0)) {
            wheel.arm_ends(expires);
        }
    }

    // Called with the lock held. Restores the mask to `irq`.
    template <class Moves>
    [[gnu::always_inline]] static int move_or_place_and_unlock(Wheel &wheel, timer_list *timer, jiffies_t expires,
                                                               irq_state irq, const Moves &when)
    {
        int was_pending = 0;
        bool arms = timer->enabled;
        if (arms && __builtin_expect(is_pending(timer), 0)) {
            was_pending = 1;
            arms = when.moves(timer->expires, expires);
            if (arms) {
                wheel.slots().unlink_for_requeue(timer);
            }
        }
        if (!arms) {
            leave_and_unlock(wheel, timer, irq);
            return was_pending;
        }
        return place_and_unlock(wheel, timer, expires, irq, was_pending);
    }

    // Appends a timer to its slot. Called with the lock held. Restores the mask to `irq`.
    [[gnu::always_inline]] static int place_and_unlock(Wheel &wheel, timer_list *timer, jiffies_t expires,
                                                       irq_state irq, int was_pending)
    {
        timer->expires = expires;
        const auto slot = placement<Geometry>::schedule(wheel, expires);
        const timer_list *const overwritten = checks::drop_overwritten_youngest(wheel.slots(), slot);
        wheel.slots().append(slot, timer);
        was_pending != 0 ? wheel.moved(timer) : wheel.armed(timer);
        Lock::irq_restore(irq);
        wheel.arm_ends(expires);
        report_dropped(overwritten);
        return was_pending;
    }
};

} // namespace tickwheel

#endif
