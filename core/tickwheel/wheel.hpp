// SPDX-License-Identifier: MIT
/// @file
/// The timer wheel: the algorithm. tickwheel.h states what each call does and returns. DESIGN.md has the picture, and
/// the invariants that are cited here as (I3).
///
/// A Lock has three static functions: irq_save(), irq_restore(state) and preemption_point(state). port/README.md
/// states what they must do.
#ifndef TICKWHEEL_WHEEL_HPP
#define TICKWHEEL_WHEEL_HPP

#include <stdint.h>

#include <tickwheel/admission.hpp>
#include <tickwheel/checks.hpp>
#include <tickwheel/locked.hpp>
#include <tickwheel/next_event.hpp>
#include <tickwheel/next_expiry.hpp>
#include <tickwheel/state.hpp>

namespace tickwheel
{

/// A wheel of your own, for one core and one lock. Each function does what the function of tickwheel.h with the same
/// name and the prefix tickwheel_ does: the same returns, in the same contexts. An arm that a limited<> refuses
/// returns -1. A static wheel is a constant, and works before any constructor. Its timers name it:
/// basic_timer<wheel>, closure_timer<.., wheel>.
template <class Lock, class Geometry = linux_geometry, class Storage = wheel_storage<Geometry>,
          class Admission = unlimited>
class wheel : private Storage, public Admission {
    using irq_state = decltype(Lock::irq_save());
    using level = typename Geometry::level;
    using search = event_search<Geometry>;
#if TICKWHEEL_DEBUG
    using checks = list_checks<Geometry, wheel_clock, wheel_slots<Geometry>>;
#else
    using checks = no_checks;
#endif
    using Storage::clock;
    using Storage::lists;

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
        return tickwheel_time_after_eq(now, clock().next_event);
    }

    // --- Arm

    int mod_timer(timer_list *timer, jiffies_t expires)
    {
        return arm<when::always>(timer, expires);
    }

    void add_timer(timer_list *timer)
    {
        const int was_pending = arm<when::added>(timer, 0);
        (void)reported(checks::fault_of_add(was_pending), timer);
    }

    int mod_timer_idle(timer_list *timer, jiffies_t expires)
    {
        return arm<when::idle>(timer, expires);
    }

    int mod_timer_pending(timer_list *timer, jiffies_t expires)
    {
        return arm<when::pending>(timer, expires);
    }

    int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        return arm<when::earlier>(timer, expires);
    }
    /// @}

private:
    // Which timers a call arms. After a shutdown `idle` and `pending` are ignored and not reported: timers that
    // re-arm themselves rely on that.
    enum class when { always, added, idle, pending, earlier };

    template <when Which>
    [[gnu::always_inline]] int arm(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        if (Which == when::added && !(TICKWHEEL_DEBUG && timer == nullptr)) {
            // Read under the lock: an interrupt just before may arm the timer for another tick.
            expires = timer->expires;
        }
        constexpr bool from_shutdown = Which == when::idle || Which == when::pending;
        if (refused<Lock>(checks::fault_of_arm(clock(), lists(), timer, expires, !from_shutdown), timer, irq)) {
            return 0;
        }
        if constexpr (Which == when::added || Which == when::idle) {
            if (pending(timer)) {
                Lock::irq_restore(irq);
                return 1;
            }
        } else if constexpr (Which == when::pending) {
            if (!pending(timer)) {
                Lock::irq_restore(irq);
                return 0;
            }
        } else if constexpr (Which == when::earlier) {
            // In this order the masked section is shorter for a timer that moves.
            if (!tickwheel_time_before(expires, timer->expires) && pending(timer)) {
                Lock::irq_restore(irq);
                return 1;
            }
        }
        return mod_timer_locked(timer, expires, irq);
    }

    // Called with the lock held. Restores the mask to `irq`.
    [[gnu::noinline]] int mod_timer_locked(timer_list *timer, jiffies_t expires, irq_state irq)
    {
        int was_pending = 0;
        const timer_list *broken = nullptr;
        bool inserts = timer->enabled;
        if (inserts && __builtin_expect(pending(timer), 0)) {
            was_pending = 1;
            inserts = timer->expires != expires;
            if (inserts) {
                lists().unlink_for_requeue(timer);
            }
        } else if (inserts && !Admission::try_acquire()) {
            was_pending = -1;
            inserts = false;
        }
        if (inserts) {
            broken = insert(timer, expires);
        }
        Lock::irq_restore(irq);
        if (broken != nullptr) {
            (void)reported(checks::overwritten_links, broken);
        }
        return was_pending;
    }

    // Returns null. Debug builds return the slot's oldest timer when they had to empty the slot first.
    [[gnu::always_inline]] const timer_list *insert(timer_list *timer, jiffies_t expires)
    {
        timer->expires = expires;
        const jiffies_t block = clock().block;
        const jiffies_t distance = expires - block;
        // One signed compare tells the common case: tvr_size to 2^31 - 1 ticks after the start of the block. Such a
        // tick is never before `next_event` (I3), so the timer fires in that tick. If it is overdue, the runner lags
        // and has yet to come to that tick.
        const bool upper = static_cast<int32_t>(distance) >= static_cast<int32_t>(Geometry::tvr_size);
        const unsigned slot =
            __builtin_expect(upper, 1) ? Geometry::upper_slot(expires, distance) : place_near_or_overdue(expires);
        const timer_list *const broken =
            checks::fault_of_youngest(lists(), slot) == nullptr ? nullptr : lists().drop(slot);
        lists().append(slot, timer);
        return broken;
    }

    // The slot of a tick inside the block, before it, or 2^31 ticks or more after its start. For a slot of tv1 it
    // also lowers `next_event` to that tick.
    [[gnu::always_inline]] unsigned place_near_or_overdue(jiffies_t expires)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        const jiffies_t now = time.jiffies;
        const jiffies_t next = time.next_event;
        const jiffies_t distance = expires - block;
        // "Overdue" is measured from `jiffies`. From a block that lags, the far future would look overdue.
        const int32_t behind = static_cast<int32_t>(now - expires);
        if (behind >= 0) {
            // The timer fires in max(expires, timer_jiffies), where timer_jiffies = min(next_event, jiffies + 1). The
            // lag is below 2^31 by contract, and at least -tvr_size (I3).
            const int32_t lag = static_cast<int32_t>(now - next);
            // The lagging case is the longer one, so it is the fall-through.
            if (__builtin_expect(lag >= 0, 1)) {
                expires = behind > lag ? next : expires;
            } else {
                expires = now + 1;
                time.next_event = expires;
            }
            const jiffies_t clamped = expires - block;
            if (clamped < Geometry::tvr_size) {
                return clamped;
            }
            // Either the first tick of the next block, or a tick 2^31 after a block that lags by as much.
            return clamped == Geometry::tvr_size ? Geometry::tv2().slot(expires) : far_slot(expires, clamped);
        }
        if (distance >= Geometry::tvr_size) {
            return far_slot(expires, distance);
        }
        if (distance < next - block) {
            time.next_event = expires;
        }
        return distance;
    }

    // upper_slot() for distance >= 2^31. Setting bit 31 lets the compiler drop the tests for the lower levels.
    static unsigned far_slot(jiffies_t expires, jiffies_t distance)
    {
        return Geometry::upper_slot(expires, distance | jiffies_t{1} << 31);
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
        Admission::release();
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
        return tick() ? run() : 0;
    }

    unsigned run()
    {
        return run_budget(~0u);
    }

    unsigned run_budget(unsigned budget)
    {
        wheel_clock &time = clock();
        wheel_slots<Geometry> &list = lists();
        unsigned ran = 0;
        const auto irq = Lock::irq_save();
        if (list.running != nullptr) {
            Lock::irq_restore(irq);
            return 0;
        }
        list.running = list.runner_mark();
        bool work = time.due();
        while (work) {
            const jiffies_t tick = time.next_event;
            const unsigned slot = Geometry::tv1_slot(tick);
            // From here on an overdue timer is armed for the tick after this one, so this slot only shrinks (I5).
            time.next_event = tick + 1;
            while (timer_list *const timer = list.first[slot]) {
                if (ran == budget) {
                    time.next_event = tick;
                    list.running = nullptr;
                    Lock::irq_restore(irq);
                    return ran;
                }
                if (dropped<Lock>(checks::fault_of_oldest(list, slot), list, slot, irq)) {
                    continue;
                }
                // Nothing reads the timer after the unlock: its owner may free it then (I6).
                void (*const function)(timer_list *) = timer->function;
                list.detach_oldest(slot, timer);
                Admission::release();
                list.running = timer;
                Lock::irq_restore(irq);
                function(timer);
                ++ran;
                (void)Lock::irq_save();
                list.running = list.runner_mark();
            }
            const uint32_t later = list.marks.clear_mark(slot);
            if (later != 0) {
                // Bit 31 is this slot, so the leading zeros are the ticks to the next mark.
                time.next_event = tick + count_leading_zeros(later);
            } else if (slot != Geometry::tvr_mask) {
                update_next_event(slot | 31, irq);
            } else {
                advance_block(irq);
            }
            work = time.due();
            if (work) {
                Lock::preemption_point(irq);
            }
        }
        list.running = nullptr;
        Lock::irq_restore(irq);
        return ran;
    }
    /// @}

private:
    // --- The end of a block

    // Sets `next_event` to the first marked tick of the block after `slot`, which is the last slot of a bitmap word,
    // or ~0 to start with the first word. It opens the lock before each word. Meanwhile `next_event` is the first
    // tick of that word. An arm then either lowers `next_event`, and the search ends, or marks a slot still to be
    // searched.
    [[gnu::noinline]] void update_next_event(unsigned slot, irq_state irq)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        while (++slot != Geometry::tvr_size) {
            time.next_event = block + slot;
            Lock::preemption_point(irq);
            if (time.next_event != block + slot) {
                return;
            }
            const uint32_t bits = lists().marks.words[slot / 32];
            if (bits != 0) {
                time.next_event = block + slot + count_leading_zeros(bits);
                return;
            }
            slot |= 31;
        }
        time.next_event = block + Geometry::tvr_mask;
    }

    // Every tick of the block is done and tv1 is empty (I4). Moves to the next block, or over all empty ones at once,
    // and brings the timers of the new block down.
    [[gnu::noinline]] void advance_block(irq_state irq)
    {
        wheel_clock &time = clock();
        // If `changed_by` still holds this address later, no list has changed (I8). There is only one runner.
        const void *const unchanged = lists().runner_mark();
        lists().changed_by = unchanged;
        jiffies_t ahead = Geometry::tvr_size;
        bool nothing_cascades = false;
        // Below 2^31 + tvr_size: the lag, and the block.
        const jiffies_t behind = time.jiffies + 1 - time.block;
        if (behind >= 2 * Geometry::tvr_size) {
            // The whole blocks that are counted.
            const jiffies_t owed = behind & ~jiffies_t{Geometry::tvr_mask};
            // The search runs unlocked. If a list changed, its result is discarded and the wheel moves on by one
            // block, which is always safe.
            Lock::irq_restore(irq);
            const jiffies_t to_cascade = search::distance_to_cascade(lists().marks, time.block);
            (void)Lock::irq_save();
            if (lists().changed_by == unchanged) {
                ahead = to_cascade < owed ? to_cascade : owed;
                nothing_cascades = to_cascade > owed;
            }
        }
        time.move_block(ahead);
        const jiffies_t block = time.block;
        time.next_event = block;
        // A timer in an upper level is older than any timer of the same tick in a lower level (I7). The nearest level
        // cascades first, and each list from its youngest to its oldest, each timer to the front of its new slot.
        for (level lv = Geometry::tv2(); lv.exists() && !nothing_cascades; lv = lv.above()) {
            Lock::preemption_point(irq);
            const unsigned slot = lv.slot(block);
            if (lists().marks.is_marked(slot)) {
                cascade(lv, slot, block, irq);
            }
            if (slot != lv.first_slot) {
                break;
            }
        }
        if (lists().changed_by == unchanged) {
            lists().changed_by = nullptr;
            time.next_event = block + Geometry::tvr_mask;
        } else {
            update_next_event(~0u, irq);
        }
    }

    void cascade(level lv, unsigned slot, jiffies_t block, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        for (timer_list *oldest = list.first[slot]; oldest != nullptr; oldest = list.first[slot]) {
            if (dropped<Lock>(checks::fault_of_youngest(list, slot), list, slot, irq)) {
                continue;
            }
            timer_list *const timer = list.take_youngest(slot, oldest);
            const jiffies_t distance = timer->expires - block;
            // Every timer of tv2 goes to tv1. One that is not of this block was overdue when it was armed in the last
            // tick of the block before. It is due in this block's first tick.
            unsigned below = 0;
            if (distance < Geometry::tvr_size) {
                below = distance;
            } else if (lv.shift != Geometry::tv2().shift) {
                below = Geometry::upper_slot(timer->expires, distance);
            }
            const timer_list *const broken =
                checks::fault_of_oldest(list, below) == nullptr ? nullptr : list.drop(below);
            list.prepend(below, timer);
            Lock::preemption_point(irq);
            if (broken != nullptr) {
                Lock::irq_restore(irq);
                (void)reported(checks::overwritten_links, broken);
                (void)Lock::irq_save();
            }
        }
        list.marks.clear_mark(slot);
    }

public:
    /// @{ As the function of tickwheel.h.

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
        return search::answer(clock(), lists(), tick);
    }

    void init(jiffies_t start)
    {
        if (reported(checks::fault_of_init(lists()), nullptr) || lists().running != nullptr) {
            return;
        }
        lists().reset();
        clock() = wheel_clock::at(start, Geometry::tvr_mask);
        Admission::reset();
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

private:
    static bool pending(const timer_list *timer)
    {
        return timer->prev != nullptr;
    }

    // False if there is no timer.
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
