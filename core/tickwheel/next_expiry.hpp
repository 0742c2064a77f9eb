// SPDX-License-Identifier: MIT
// The exact next expiry of a timer that is not deferrable. It walks the lists in short masked sections.
#ifndef TICKWHEEL_NEXT_EXPIRY_HPP
#define TICKWHEEL_NEXT_EXPIRY_HPP

#include <stdint.h>

#include <tickwheel/checks.hpp>
#include <tickwheel/locked.hpp>
#include <tickwheel/next_event.hpp>
#include <tickwheel/state.hpp>

namespace tickwheel
{

/// One search. It writes its own address to `changed_by` to see later whether a list has changed (I8). Two searches
/// at the same time have two addresses, so neither mistakes the other's mark for its own.
template <class Lock, class Geometry, class Checks>
class expiry_search {
    using level = typename Geometry::level;
    using search = event_search<Geometry>;

public:
    expiry_search(wheel_clock &clock, wheel_slots<Geometry> &lists) : clock_(clock), lists_(lists)
    {
    }
    expiry_search(const expiry_search &) = delete;
    expiry_search &operator=(const expiry_search &) = delete;

    /// As tickwheel_next_expiry().
    int answer(jiffies_t *expires)
    {
        // The lock is held only while a timer is read. The result counts only if no list has changed meanwhile.
        for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
            begin();
            scan seen = scan_tv1();
            seen = scan_level(Geometry::tv2(), seen);
            for (level lv = Geometry::tv2().above(); lv.exists(); lv = lv.above()) {
                seen = scan_level(lv, seen);
            }
            const locked<Lock> lock;
            if (lists_.changed_by == this) {
                if (seen == scan::something) {
                    *expires = tick_;
                }
                return seen == scan::something;
            }
        }
        // Interrupts change the lists faster than this can walk them. No timer is earlier than `next_event` (I3).
        // During a run the limit is the tick before (I5).
        const locked<Lock> lock;
        *expires = clock_.next_event - (lists_.running != nullptr ? 1 : 0);
        return 1;
    }

private:
    /// Attempts before the answer is a lower bound.
    static constexpr unsigned most_attempts = 16;

    enum class scan { nothing, something, restart };

    void begin()
    {
        distance_ = ~jiffies_t{0};
        // Both under one lock: a run between them would move the block unnoticed.
        const locked<Lock> lock;
        lists_.changed_by = this;
        ring_ = clock_.window - Geometry::tvr_size;
        base_ = clock_.base;
    }

    scan scan_tv1()
    {
        scan seen = scan::nothing;
        // A turn that ends at the window: to the end of the row, then from its first slot on.
        unsigned start = 0;
        while (seen == scan::nothing && start < Geometry::tvr_size) {
            const unsigned slot = Geometry::tv1_slot(ring_ + start);
            const unsigned marked = lists_.marks.first_marked_from(slot);
            start += marked - slot;
            if (marked != Geometry::tvr_size && start < Geometry::tvr_size) {
                seen = scan_slot(0, marked, start);
                ++start;
            }
        }
        return seen;
    }

    /// The slots of a level, in the order in which they cascade. Returns what was seen there, or before.
    template <class Level>
    scan scan_level(Level lv, scan seen)
    {
        const unsigned own = lv.slot(base_);
        // If the base is the start of its slot, that slot comes down now and is first. Otherwise it is a whole turn
        // ahead and last.
        const bool at_start = base_ >> lv.shift << lv.shift == base_;
        unsigned steps = at_start ? 0 : lists_.marks.marked_after(lv, own);
        while (seen != scan::restart && (steps != 0 || at_start)) {
            const jiffies_t start = search::distance_to_slot(lv, base_, steps) + (base_ - ring_);
            // Later slots hold later timers.
            if (start >= distance_) {
                break;
            }
            const unsigned slot = lv.slot(base_ + (steps << lv.shift));
            const scan here = scan_slot(lv.shift, slot, start);
            seen = here == scan::nothing ? seen : here;
            const unsigned more = lists_.marks.marked_after(lv, slot);
            // At the start the own slot came first, so the turn ends one step earlier.
            steps += more;
            if (more == 0 || steps + at_start > lv.size()) {
                break;
            }
        }
        return seen;
    }

    scan scan_slot(unsigned shift, unsigned slot, jiffies_t start)
    {
        scan seen = scan::nothing;
        const timer_list *older = nullptr;
        const timer_list *timer = lists_.oldest_of(slot);
        const auto irq = Lock::irq_save();
        while (timer != nullptr) {
            if (lists_.changed_by != this) {
                Lock::irq_restore(irq);
                return scan::restart;
            }
            const char *const fault = Checks::fault_of_step(lists_, timer, older, slot);
            if (fault != nullptr) {
                Lock::irq_restore(irq);
                (void)reported(fault, timer);
                return seen;
            }
            older = timer;
            timer = timer->next;
            if (!older->deferrable) {
                take(older->expires, shift, start);
                seen = scan::something;
                // All timers of a slot of tv1 fire in one tick.
                timer = shift == 0 ? nullptr : timer;
            }
            Lock::preemption_point(irq);
        }
        Lock::irq_restore(irq);
        return seen;
    }

    /// A timer of a slot that begins `start` ticks after the ring does.
    void take(jiffies_t tick, unsigned shift, jiffies_t start)
    {
        if (shift == 0) {
            // A timer of tv1 may have been overdue when armed.
            tick = ring_ + start;
        }
        const jiffies_t distance = tick - ring_;
        if (distance <= distance_) {
            distance_ = distance;
            tick_ = tick;
        }
    }

    wheel_clock &clock_;
    wheel_slots<Geometry> &lists_;
    // Each attempt writes all of these before it reads them.
    /// The first tick that a slot of tv1 may hold: a turn before the window.
    jiffies_t ring_;
    jiffies_t base_;
    /// The earliest tick so far, and the ticks from the ring's first one to it.
    jiffies_t distance_;
    jiffies_t tick_;
};

} // namespace tickwheel

#endif
