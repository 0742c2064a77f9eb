// SPDX-License-Identifier: MIT
/// @file
/// The timer wheel, as its callers use it: they count ticks, arm and cancel. runner.hpp runs what is due. tickwheel.h
/// states what each call does and returns. DESIGN.md has the picture, and the invariants that are cited here as (I3).
///
/// A Lock has four static functions: irq_save(), irq_restore(state), irq_mask() and preemption_point(state).
/// port/README.md states what they must do.
#ifndef TICKWHEEL_WHEEL_HPP
#define TICKWHEEL_WHEEL_HPP

#include <stdint.h>

#include <tickwheel/checks.hpp>
#include <tickwheel/hooks.hpp>
#include <tickwheel/locked.hpp>
#include <tickwheel/next_event.hpp>
#include <tickwheel/next_expiry.hpp>
#include <tickwheel/runner.hpp>
#include <tickwheel/storage.hpp>
#include <tickwheel/timer_initializer.hpp>

namespace tickwheel
{

/// A wheel of your own, for one core and one lock. Each function behaves as tickwheel_<its name>() of tickwheel.h. A
/// static wheel is constant-initialised, and works before any constructor. Its timers name the object:
/// basic_timer<own_wheel>, closure_timer<.., own_wheel>. hooks.hpp says what the wheel tells its Hooks.
template <class Lock, class Geometry = linux_geometry, class Storage = wheel_storage<Geometry>,
          class Hooks = no_hooks>
class wheel : public runner<Lock, Geometry, Storage, Hooks> {
    using base = runner<Lock, Geometry, Storage, Hooks>;
    using irq_state = decltype(Lock::irq_save());
    using checks = checks_of<Geometry>;
    using base::clock;
    using base::lists;

public:
    /// @{ As the function of tickwheel.h.

    // --- Tick

    jiffies_t jiffies()
    {
        return clock().jiffies;
    }

    uint64_t get_jiffies_64()
    {
        return clock().jiffies_64();
    }

    jiffies_t current_tick()
    {
        // If a tick comes between the two reads and is counted, the sum is the tick before: the caller's time when it
        // called.
        const jiffies_t counted = clock().jiffies;
        return counted + uncounted_ticks<Lock>(0);
    }

    int tick()
    {
        return advance(1);
    }

    int advance(uint32_t ticks)
    {
        checks::template check_caller<Lock>(0);
        // A fault is reported, and the ticks are counted all the same: they have passed.
        (void)reported(checks::fault_of_advance(clock(), ticks), nullptr);
        // First the store, then the load; both are volatile. In the other order an interrupt between the two could
        // arm for the coming tick after `next_event` was read, and that timer would fire a tick late.
        const jiffies_t now = clock().jiffies + ticks;
        clock().jiffies = now;
        const jiffies_t next = clock().next_event;
        const int work = tickwheel_time_after_eq(now, next);
        if (work != 0) {
            Hooks::tick_with_work(now, next);
        }
        return work;
    }

    // --- Arm

    int mod_timer(timer_list *timer, jiffies_t expires)
    {
        return arm<when::always>(timer, expires, to_another_tick);
    }

    void add_timer(timer_list *timer)
    {
        const int was_pending = arm<when::added>(timer, 0, to_another_tick);
        (void)reported(checks::fault_of_add(was_pending), timer);
    }

    int mod_timer_idle(timer_list *timer, jiffies_t expires)
    {
        return arm<when::idle>(timer, expires, to_another_tick);
    }

    int mod_timer_pending(timer_list *timer, jiffies_t expires)
    {
        return arm<when::pending>(timer, expires, to_another_tick);
    }

    int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        return arm<when::always>(timer, expires, to_an_earlier_tick);
    }

    int mod_timer_within(timer_list *timer, jiffies_t first, jiffies_t last)
    {
        first = tickwheel_time_after(first, last) ? last : first;
        jiffies_t tick = roundest_tick(first, last);
        jiffies_t width = last - first;
        // Otherwise GCC computes both with the lock held.
        __asm__ volatile("" : "+r"(tick), "+r"(width));
        return arm<when::always>(timer, tick, last, width);
    }
    /// @}

private:
    // Which timers a call arms. The wheel ignores all arms after a shutdown. Debug builds do not report `idle` and
    // `pending` then: timers that re-arm themselves make such arms.
    enum class when { always, added, idle, pending };

    // A pending timer moves only if `to - from`, modulo 2^32, is above this constant.
    static constexpr jiffies_t to_another_tick = 0;
    static constexpr jiffies_t to_an_earlier_tick = ~jiffies_t{0} >> 1;

    [[gnu::always_inline]] static bool moves(jiffies_t from, jiffies_t to, jiffies_t keeps)
    {
        return to - from > keeps;
    }
    // Of mod_timer_within(): a pending timer moves only if its tick is outside the range that ends in `last`.
    [[gnu::always_inline]] static bool moves(jiffies_t from, jiffies_t /*to*/, jiffies_t last, jiffies_t width)
    {
        return last - from > width;
    }

    // Each call has a body of its own. Sharing one would mask interrupts for 8 instructions more.
    template <when Which, class... Keeps>
    [[gnu::always_inline]] int arm(timer_list *timer, jiffies_t expires, Keeps... keeps)
    {
        const irq_state irq = Lock::irq_save();
        if (Which == when::added && !(TICKWHEEL_DEBUG && timer == nullptr)) {
            // Read under the lock: an interrupt just before may arm the timer for another tick.
            expires = timer->expires;
        }
        constexpr bool needs_enabled = Which == when::always || Which == when::added;
        if (refused<Lock>(checks::fault_of_arm(clock(), lists(), timer, expires, needs_enabled), timer, irq)) {
            return 0;
        }
        if (Which != when::always && pending(timer) != (Which == when::pending)) {
            Lock::irq_restore(irq);
            return Which != when::pending;
        }
        return place(timer, expires, irq, keeps...);
    }

    // The base may be ahead of `jiffies`: a tick that is past by almost 2^31 then looks like the future.
    static constexpr jiffies_t nearly_past = 0x7F000000;

    // Arms or moves a timer. Called with the lock held. Restores the mask to `irq`.
    template <class... Keeps>
    [[gnu::always_inline]] int place(timer_list *timer, jiffies_t expires, irq_state irq, Keeps... keeps)
    {
        int was_pending = 0;
        bool inserts = timer->enabled;
        if (inserts && __builtin_expect(pending(timer), 0)) {
            was_pending = 1;
            inserts = moves(timer->expires, expires, keeps...);
            if (inserts) {
                lists().unlink_for_requeue(timer);
            }
        }
        if (!inserts) {
            Lock::irq_restore(irq);
            return was_pending;
        }
        timer->expires = expires;
        return append(timer, slot_of(expires), was_pending, irq);
    }

    // The slot of a tick. A tick that is not begun has a slot of its own in tv1 if it is before the window, else it
    // waits in an upper level.
    [[gnu::always_inline]] unsigned slot_of(jiffies_t expires)
    {
        wheel_clock &time = clock();
        const jiffies_t distance = expires - time.base;
        if (__builtin_expect(static_cast<int32_t>(distance) >= static_cast<int32_t>(Geometry::tvr_size), 1)) {
            const unsigned slot = Geometry::upper_slot(expires, distance);
            // Only tv5 needs this test. The compiler drops it for the other levels.
            if (slot >= Geometry::template tv<5>().first_slot && distance >= nearly_past) {
                return slot_before_next_event(expires);
            }
            return slot;
        }
        // The tick is at most 3 blocks - 1 after `next_event`, which is in the block before the base (I3). A tick
        // before `next_event` or before `jiffies` wraps to more.
        const jiffies_t after = expires - time.next_event;
        if (after < Geometry::block_size) {
            // The window begins at least two blocks after the current one did.
            return Geometry::tv1_slot(expires);
        }
        if (after < 3 * Geometry::block_size) {
            return tickwheel_time_before(expires, time.window) ? Geometry::tv1_slot(expires)
                                                               : Geometry::tv2().slot(expires);
        }
        return slot_before_next_event(expires);
    }

    // The rest: a tick before `next_event`, or one that is nearly 2^31 ticks or more after the base.
#if TICKWHEEL_SMALL_CORE
    // Inlined, it would cost every arm a frame with more registers.
    [[gnu::noinline]]
#else
    [[gnu::always_inline]]
#endif
    unsigned
    slot_before_next_event(jiffies_t expires)
    {
        wheel_clock &time = clock();
        jiffies_t next = time.next_event;
        // Setting bit 31 lets the compiler drop the tests for the lower levels.
        const jiffies_t far = (expires - time.base) | jiffies_t{1} << 31;
        // "Overdue" is measured from `jiffies`. From a block that lags, the far future would look overdue.
        const jiffies_t now = time.jiffies;
        const int32_t behind = static_cast<int32_t>(now - expires);
        if (behind < 0) {
            // Not time_before(): behind a lag of up to two blocks a delay of nearly 2^31 would look like the past.
            if (time.window - expires - 1 < 2 * Geometry::tvr_size) {
                time.next_event = expires;
                return Geometry::tv1_slot(expires);
            }
            return Geometry::upper_slot(expires, far);
        }
        // An overdue timer fires in its own tick if the runner has not begun that one. Else it fires in the first
        // one that is not begun: min(next_event, jiffies + 1). The lag is below 2^31 by contract, and at least
        // -tvr_size (I3, I9).
        const int32_t lag = static_cast<int32_t>(now - next);
        if (__builtin_expect(lag < 0, 1)) {
            next = now + 1;
        } else if (behind <= lag) {
            // The runner lags, and has not begun this tick, which is nearly 2^31 ticks or more after the base.
            return Geometry::upper_slot(expires, far);
        }
        time.next_event = next;
        return Geometry::tv1_slot(next);
    }

    // Appends the timer, restores the mask to `irq`, then reports overwritten links.
    [[gnu::always_inline]] int append(timer_list *timer, unsigned slot, int was_pending, irq_state irq)
    {
        // Debug builds empty a slot with overwritten links first.
        const timer_list *const broken =
            checks::fault_of_youngest(lists(), slot) == nullptr ? nullptr : lists().drop(slot);
        lists().append(slot, timer);
        was_pending != 0 ? Hooks::moved(timer) : Hooks::armed(timer);
        Lock::irq_restore(irq);
        if (broken != nullptr) {
            (void)reported(checks::overwritten_links, broken);
        }
        return was_pending;
    }

public:
    /// @{ As the function of tickwheel.h.

    // --- Cancel

    int timer_delete(timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (refused<Lock>(checks::fault_of_timer(lists(), timer), timer, irq)) {
            return 0;
        }
        if (!pending(timer)) {
            Lock::irq_restore(irq);
            return 0;
        }
        lists().detach(timer);
        Hooks::cancelled(timer);
        Lock::irq_restore(irq);
        return 1;
    }

    [[gnu::noinline]] int try_to_del_timer_sync(timer_list *timer)
    {
        const irq_state irq = Lock::irq_save();
        if (refused<Lock>(checks::fault_of_timer(lists(), timer), timer, irq)) {
            return 0;
        }
        const int deleted = lists().running == timer ? -1 : timer_delete(timer);
        Lock::irq_restore(irq);
        return deleted;
    }

    int timer_delete_sync(timer_list *timer)
    {
        const int deleted = try_to_del_timer_sync(timer);
        (void)reported(checks::fault_of_sync(deleted), timer);
        return deleted;
    }

    int timer_shutdown(timer_list *timer)
    {
        // No lock: after this store nobody can arm the timer, so timer_delete() sees its last state.
        return shut_down(timer) ? timer_delete(timer) : 0;
    }

    int timer_shutdown_sync(timer_list *timer)
    {
        return shut_down(timer) ? timer_delete_sync(timer) : 0;
    }

    static int timer_pending(const timer_list *timer)
    {
        if (reported(checks::fault_of_pointer(timer), timer)) {
            return 0;
        }
        return *const_cast<timer_list *const volatile *>(&timer->prev) != nullptr;
    }

    // --- Run

    unsigned interrupt()
    {
        return tick() ? this->run() : 0;
    }

    // --- Ask

    int next_expiry(jiffies_t *expires)
    {
        if (reported(checks::fault_of_pointer(expires), nullptr)) {
            return 0;
        }
        return expiry_search<Lock, Geometry, checks>(clock(), lists()).answer(expires);
    }

    int next_event(jiffies_t *tick)
    {
        if (reported(checks::fault_of_pointer(tick), nullptr)) {
            return 0;
        }
        const locked<Lock> lock;
        return event_search<Geometry>::answer(clock(), lists(), tick);
    }

    void init(jiffies_t start)
    {
        if (reported(checks::fault_of_init(lists()), nullptr) || lists().running != nullptr) {
            return;
        }
        lists().reset();
        clock() = wheel_clock::at(start, Geometry::block_mask);
    }
    /// @}

    /// Gives a timer another function, pending or not. Timers that re-arm themselves use it.
    void set_function(timer_list *timer, void (*function)(timer_list *))
    {
#if TICKWHEEL_DEBUG
        const locked<Lock> lock;
        const bool sealed = is_sealed(timer, &lists());
        store_function(timer, function);
        if (sealed) {
            seal(timer, &lists());
        }
#else
        store_function(timer, function);
#endif
    }

    /// Debug builds return why this timer may not be set up, or null. Others always return null.
    const char *fault_of_setup(const timer_list *timer)
    {
        const locked<Lock> lock;
        return checks::fault_of_setup(lists(), timer);
    }

protected:
    /// @{ Ticks whose interrupt waits behind the caller, if the Lock can tell. port/README.md has the rule.
    template <class Port>
    static auto uncounted_ticks(int) -> decltype(Port::uncounted_ticks())
    {
        return Port::uncounted_ticks();
    }
    template <class Port>
    static jiffies_t uncounted_ticks(long)
    {
        return 0;
    }
    /// @}

private:
    static bool pending(const timer_list *timer)
    {
        return timer->prev != nullptr;
    }

    // Clears `enabled`. Returns false for a null timer, which only debug builds notice.
    static bool shut_down(timer_list *timer)
    {
        if (reported(checks::fault_of_pointer(timer), timer)) {
            return false;
        }
        *static_cast<volatile uint8_t *>(&timer->enabled) = 0;
        return true;
    }
};

} // namespace tickwheel

#endif
