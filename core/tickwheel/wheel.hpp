// SPDX-License-Identifier: MIT
/// @file
/// The timer wheel. tickwheel.h says what each call does and returns; this file is the algorithm. DESIGN.md has the
/// picture and the invariants that are cited as (I3).
///
/// A Lock has three static functions: irq_save(), irq_restore(state) and preemption_point(state); port/README.md says
/// what they must do.
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

/// A wheel of its own, for one core and one lock. Every function is the one of tickwheel.h with its name and the
/// prefix tickwheel_: the same returns, from the same contexts; -1 of an arm that a limited<> refuses comes on top. A
/// static one is a constant and works before any constructor. Timers of it name it: basic_timer<wheel>,
/// closure_timer<.., wheel>.
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
        // The count first: when the runner passes a half-wrap between the two reads, the newer tick still lies less
        // than 2^31 after the half that was read (I9). The tick after `jiffies` is never before the block.
        const uint32_t half_wraps = clock().half_wraps;
        const jiffies_t upcoming = clock().jiffies + 1;
        const uint32_t upper = (half_wraps + ((half_wraps ^ upcoming >> 31) & 1)) >> 1;
        return (static_cast<uint64_t>(upper) << 32 | upcoming) - 1;
    }

    int tick()
    {
        return advance(1);
    }

    int advance(uint32_t ticks)
    {
        checks::template check_caller<Lock>(0);
        // Reported and counted: the ticks have passed.
        (void)reported(checks::fault_of_advance(clock(), ticks), nullptr);
        // Count, then look, both volatile. An interrupt between the two that arms for the tick just counted lowers
        // `next_event` before it is looked at. One that arms for a later tick is seen by that tick (F7).
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
        const int was_pending = arm<when::added>(timer, TICKWHEEL_DEBUG && timer == nullptr ? 0 : timer->expires);
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
    // Which timers a call arms. Only `idle` and `pending` may meet a timer that is shut down: a timer that re-arms
    // itself relies on that.
    enum class when { always, added, idle, pending, earlier };

    template <when Which>
    [[gnu::always_inline]] int arm(timer_list *timer, jiffies_t expires)
    {
        const irq_state irq = Lock::irq_save();
        constexpr bool from_shutdown = Which == when::idle || Which == when::pending;
        if (refused(checks::fault_of_arm(clock(), lists(), timer, expires, !from_shutdown), timer, irq)) {
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
            // In this order the stretch is the shorter for a timer that moves.
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

    // Debug builds: the oldest timer of the slot when the slot had to be dropped, else null.
    [[gnu::always_inline]] const timer_list *insert(timer_list *timer, jiffies_t expires)
    {
        timer->expires = expires;
        const jiffies_t block = clock().block;
        const jiffies_t distance = expires - block;
        // Signed: one compare sets apart all that wants a closer look. What is 2^8 to 2^31 - 1 ticks ahead of the
        // block is no earlier than `next` (I3), so it fires in its own tick, also when that is past.
        const bool upper = static_cast<int32_t>(distance) >= static_cast<int32_t>(Geometry::tvr_size);
        const unsigned slot =
            __builtin_expect(upper, 1) ? Geometry::upper_slot(expires, distance) : place_near_or_overdue(expires);
        const timer_list *const broken = checks::fault_of_youngest(lists(), slot) == nullptr ? nullptr : drop(slot);
        lists().append(slot, timer);
        return broken;
    }

    // The slot for a tick of the current block, for one before it, and for one that is 2^31 ticks or more after its
    // start. Lowers `next` to what it returns a slot of tv1 for.
    [[gnu::always_inline]] unsigned place_near_or_overdue(jiffies_t expires)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        const jiffies_t now = time.jiffies;
        const jiffies_t next = time.next_event;
        const jiffies_t distance = expires - block;
        // Past or future is measured from `jiffies`: a block that lags makes the far future look past (F5, F6).
        const int32_t behind = static_cast<int32_t>(now - expires);
        if (behind >= 0) {
            // It fires in max(expires, timer_jiffies), timer_jiffies = min(next, jiffies + 1). The lag is less than
            // 2^31, since so many ticks are never counted and not run, and more than -2^8 (I3).
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
            // The first tick of the next block, or one that is 2^31 ticks after a block which lags as much.
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

    // The same as upper_slot for a distance of 2^31 or more, of which the compiler is told.
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
        if (refused(checks::fault_of_timer(lists(), timer), timer, irq)) {
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
        if (refused(checks::fault_of_timer(lists(), timer), timer, irq)) {
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
        // No lock: from this store on nobody arms it, so the deletion finds its last state.
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
        bool work = due();
        while (work) {
            const jiffies_t tick = time.next_event;
            const unsigned slot = Geometry::tv1_slot(tick);
            // From here on an overdue arm fires in the tick after this one, so this slot only shrinks (I5).
            time.next_event = tick + 1;
            while (timer_list *const timer = list.first[slot]) {
                if (ran == budget) {
                    time.next_event = tick;
                    list.running = nullptr;
                    Lock::irq_restore(irq);
                    return ran;
                }
                if (dropped(checks::fault_of_oldest(list, slot), slot, irq)) {
                    continue;
                }
                // All that is needed of the timer is taken now: it may be freed as soon as the lock is open (I6).
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
                time.next_event = tick + count_leading_zeros(later);
            } else if (slot != Geometry::tvr_mask) {
                update_next_event(slot | 31, irq);
            } else {
                advance_block(irq);
            }
            work = due();
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

    // Sets `next` to the first occupied tick of the block after `slot`, the last one of a word of the bitmap (~0:
    // from the first on). A word at a time: while the lock is open `next` is the first tick of the next word, and an
    // arm lowers it or leaves its bit ahead.
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

    // Ends a block of which every tick is done, tv1 being empty (I4): moves the block on, past empty ones at once,
    // and brings the timers of the new one down. Once in tvr_size ticks, and kept out of the way of the others.
    [[gnu::noinline]] void advance_block(irq_state irq)
    {
        wheel_clock &time = clock();
        // There is one runner, so its mark tells whether a list has changed (I8).
        const void *const unchanged = lists().runner_mark();
        lists().changed_by = unchanged;
        jiffies_t ahead = Geometry::tvr_size;
        bool nothing_between = false;
        // Below 2^31 + tvr_size: what has been counted and not run, and the block.
        const jiffies_t behind = time.jiffies + 1 - time.block;
        if (behind >= 2 * Geometry::tvr_size) {
            const jiffies_t owed = behind & ~jiffies_t{Geometry::tvr_mask};
            // The search is long, so the lock is open meanwhile. When a list has changed, one block is right anyway.
            Lock::irq_restore(irq);
            const jiffies_t empty = search::distance_to_cascade(lists().marks, time.block);
            (void)Lock::irq_save();
            if (lists().changed_by == unchanged) {
                ahead = empty < owed ? empty : owed;
                nothing_between = empty > owed;
            }
        }
        set_block(ahead);
        const jiffies_t block = time.block;
        time.next_event = block;
        // Nearer levels first, and each list from its tail to the front of the slots below: a timer of an upper level
        // is older than any of the same tick in a lower one, also than one that an interrupt arms meanwhile (I7).
        for (level lv = Geometry::tv2(); lv.exists() && !nothing_between; lv = lv.above()) {
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

    void set_block(jiffies_t ticks)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        time.block = block + ticks;
        // A flip of the top bit: blocks move by less than 2^31 + tvr_size ticks, so there is never a second one.
        if ((block ^ (block + ticks)) >> 31 != 0) {
            time.half_wraps = time.half_wraps + 1;
        }
    }

    void cascade(level lv, unsigned slot, jiffies_t block, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        for (timer_list *oldest = list.first[slot]; oldest != nullptr; oldest = list.first[slot]) {
            if (dropped(checks::fault_of_youngest(list, slot), slot, irq)) {
                continue;
            }
            timer_list *const timer = list.take_youngest(slot, oldest);
            const jiffies_t distance = timer->expires - block;
            // Out of tv2 all goes to tv1: what is further away can only be overdue since it was armed, in the last
            // tick of the block before, and is due in the first of this one.
            unsigned below = 0;
            if (distance < Geometry::tvr_size) {
                below = distance;
            } else if (lv.shift != Geometry::tv2().shift) {
                below = Geometry::upper_slot(timer->expires, distance);
            }
            const timer_list *const broken = checks::fault_of_oldest(list, below) == nullptr ? nullptr : drop(below);
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
        wheel_slots<Geometry> &list = lists();
        if (reported(checks::fault_of_init(list), nullptr) || list.running != nullptr) {
            return;
        }
        // Volatile, or a compiler makes a call of memset of it.
        for (timer_list *volatile &oldest : list.first) {
            oldest = nullptr;
        }
        for (shared_word &word : list.marks.words) {
            word = 0;
        }
        clock() = wheel_clock::at(start, Geometry::tvr_mask);
        Admission::reset();
    }
    /// @}

    /// Gives a timer another function, pending or not. For a timer that re-arms itself.
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

    /// Debug builds: what is wrong with setting this timer up. Null: nothing, and always with TICKWHEEL_DEBUG=0.
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

    bool due()
    {
        return tickwheel_time_after_eq(clock().jiffies, clock().next_event);
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

    // Reports a fault, unless it is null. Called with the lock held, and releases it then. Returns true if there was
    // one.
    static bool refused(const char *fault, const timer_list *timer, irq_state irq)
    {
        if (fault != nullptr) {
            Lock::irq_restore(irq);
        }
        return reported(fault, timer);
    }

    // Reports a fault of a slot, and empties the slot: nobody knows where its links lead. Returns with the lock held.
    bool dropped(const char *fault, unsigned slot, irq_state irq)
    {
        if (fault != nullptr) {
            const timer_list *const oldest = drop(slot);
            Lock::irq_restore(irq);
            (void)reported(fault, oldest);
            (void)Lock::irq_save();
        }
        return fault != nullptr;
    }
    const timer_list *drop(unsigned slot)
    {
        const timer_list *const oldest = lists().first[slot];
        lists().first[slot] = nullptr;
        lists().changed_by = oldest;
        return oldest;
    }
};

} // namespace tickwheel

#endif
