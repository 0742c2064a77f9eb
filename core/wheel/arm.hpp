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

/// Which timers a call arms: all, those that are idle, or those that are pending. `added` is `idle` for add_timer(),
/// whose tick is in `timer->expires` already. The wheel ignores all arms after a shutdown. Debug builds report it for
/// `always` and `added`, but not for the others, which re-arming timers use.
enum class when { always, added, idle, pending };

/// The calls of a wheel that arm a timer, and the one that cancels it. Wheel gives clock(), slots() and the hooks.
template <class Lock, class Geometry, class Wheel>
class arming {
    using irq_state = decltype(Lock::irq_save());
    using checks = checks_of<Geometry>;

public:
    // A pending timer moves only if `to - from`, modulo 2^32, is greater than `keeps`.
    static constexpr jiffies_t to_another_tick = 0;
    static constexpr jiffies_t to_an_earlier_tick = ~jiffies_t{0} >> 1;

    /// Arms or moves a timer. A pending timer may stay where it is: `keeps` is one of the two constants, or the last
    /// tick and the width of its range. At -O2 each call has its own body, because a shared one would mask for
    /// longer.
    template <when Which, class... Keeps>
    [[gnu::always_inline]] static int arm(Wheel &wheel, timer_list *timer, jiffies_t expires, Keeps... keeps)
    {
        const irq_state irq = Lock::irq_save();
        if (Which == when::added && (!TICKWHEEL_DEBUG || timer != nullptr)) {
            // Read under the lock: an interrupt just before may arm the timer for another tick.
            expires = timer->expires;
        }
        constexpr bool needs_enabled = Which == when::always || Which == when::added;
        if (unlock_and_report_fault<Lock>(checks::fault_of_arm(wheel.slots(), timer, needs_enabled), timer, irq)) {
            return 0;
        }
        if (Which != when::always && is_pending(timer) != (Which == when::pending)) {
            Lock::irq_restore(irq);
            return Which != when::pending;
        }
        if (Which == when::idle && !timer->enabled) {
            Lock::irq_restore(irq);
            return -1;
        }
        return move_or_place(wheel, timer, expires, irq, keeps...);
    }

    /// As tickwheel_mod_timer_idle(), and gives the timer a function and writes a word of its owner in the same
    /// masked section, so that an interrupt finds all of a start or nothing of it.
    static int arm_idle_with(Wheel &wheel, timer_list *timer, jiffies_t expires, void (*function)(timer_list *),
                             shared_word &word, uint32_t value)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_fault<Lock>(checks::fault_of_arm(wheel.slots(), timer, false), timer, irq)) {
            return 0;
        }
        if (is_pending(timer) || !timer->enabled) {
            const int refused = is_pending(timer) ? 1 : -1;
            Lock::irq_restore(irq);
            return refused;
        }
        timer->function = function;
        word = value;
        return place(wheel, timer, expires, irq, 0);
    }

    /// As tickwheel_timer_reduce(), but does nothing if `deadline` has become another tick.
    [[gnu::noinline]] static void arm_while(Wheel &wheel, timer_list *timer, jiffies_t expires,
                                            const shared_word &deadline)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_fault<Lock>(checks::fault_of_arm(wheel.slots(), timer, false), timer, irq)) {
            return;
        }
        // While it is pending, a shutdown is about to delete it, or its callback does nothing.
        const bool was_pending = is_pending(timer);
        const bool arms = was_pending ? moves(timer->expires, expires, to_an_earlier_tick) : timer->enabled != 0;
        if (!arms || deadline != expires) {
            Lock::irq_restore(irq);
            return;
        }
        if (was_pending) {
            wheel.slots().unlink_for_requeue(timer);
        }
        (void)place(wheel, timer, expires, irq, was_pending);
    }

    /// As tickwheel_timer_delete().
    static int cancel(Wheel &wheel, timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (unlock_and_report_fault<Lock>(checks::fault_of_timer(wheel.slots(), timer), timer, irq)) {
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

private:
    static bool is_pending(const timer_list *timer)
    {
        return timer->prev != nullptr;
    }

    // Whether a pending timer moves.
    [[gnu::always_inline]] static bool moves(jiffies_t from, jiffies_t to, jiffies_t keeps)
    {
        return to - from > keeps;
    }
    // Of mod_timer_within(): it moves only if its tick is outside the range that ends in `last`.
    [[gnu::always_inline]] static bool moves(jiffies_t from, jiffies_t /*to*/, jiffies_t last, jiffies_t width)
    {
        return last - from > width;
    }

    // Called with the lock held. Restores the mask to `irq`.
    template <class... Keeps>
    [[gnu::always_inline]] static int move_or_place(Wheel &wheel, timer_list *timer, jiffies_t expires, irq_state irq,
                                                    Keeps... keeps)
    {
        int was_pending = 0;
        bool inserts = timer->enabled;
        if (inserts && __builtin_expect(is_pending(timer), 0)) {
            was_pending = 1;
            inserts = moves(timer->expires, expires, keeps...);
            if (inserts) {
                wheel.slots().unlink_for_requeue(timer);
            }
        }
        if (!inserts) {
            Lock::irq_restore(irq);
            return was_pending;
        }
        return place(wheel, timer, expires, irq, was_pending);
    }

    // Appends a timer to its slot. Called with the lock held. Restores the mask to `irq`.
    [[gnu::always_inline]] static int place(Wheel &wheel, timer_list *timer, jiffies_t expires, irq_state irq,
                                            int was_pending)
    {
        timer->expires = expires;
        const unsigned slot = slot_of(wheel, expires);
        const timer_list *const overwritten = checks::drop_overwritten_youngest(wheel.slots(), slot);
        wheel.slots().append(slot, timer);
        was_pending != 0 ? wheel.moved(timer) : wheel.armed(timer);
        Lock::irq_restore(irq);
        report_dropped(overwritten);
        return was_pending;
    }

    // The slot of a tick. Lowers `next_run` if the runner would come too late.
    [[gnu::always_inline]] static unsigned slot_of(Wheel &wheel, jiffies_t expires)
    {
        wheel_clock &time = wheel.clock();
        const jiffies_t now = time.jiffies;
        // All three ticks count from `jiffies`, so that any lag may be compared.
        const int32_t delay = static_cast<int32_t>(expires - now);
        // A tick that is further ahead is never before `tv1_end` (I4).
        if (delay <= static_cast<int32_t>(Geometry::tvr_size)) {
            const jiffies_t next = time.next_run;
            // Not above 0 if a tick is due.
            const int32_t next_delay = static_cast<int32_t>(next - now);
            if (delay < next_delay) {
#if TICKWHEEL_ARM_RUNNING_TICK
                // While a callback of tick `next_run` - 1 runs, the runner comes back to the slot of that tick.
                if (expires == next - 1 && wheel.slots().running != nullptr &&
                    wheel.slots().running != wheel.slots().between_callbacks()) {
                    return Geometry::tv1_slot(expires);
                }
#endif
                // The runner would come too late, or not at all: a timer for now or the past fires in the first tick
                // that can still run (I5). `next_run` is always before `tv1_end`.
                if (delay <= 0) {
                    expires = now + static_cast<jiffies_t>(next_delay > 0 ? 1 : next_delay);
                }
                time.next_run = expires;
                return Geometry::tv1_slot(expires);
            }
            if (delay < static_cast<int32_t>(time.tv1_end - now)) {
                return Geometry::tv1_slot(expires);
            }
        }
        return Geometry::upper_slot(expires, expires - time.base);
    }
};

} // namespace tickwheel

#endif
