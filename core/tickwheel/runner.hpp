// SPDX-License-Identifier: MIT
/// @file
/// The runner of a wheel: it calls what is due, moves from block to block, and cascades. DESIGN.md explains it with
/// pictures, and has the invariants that are cited here as (I3).
#ifndef TICKWHEEL_RUNNER_HPP
#define TICKWHEEL_RUNNER_HPP

#include <stdint.h>

#include <tickwheel/admission.hpp>
#include <tickwheel/checks.hpp>
#include <tickwheel/hooks.hpp>
#include <tickwheel/locked.hpp>
#include <tickwheel/storage.hpp>

namespace tickwheel
{

/// The part of a wheel that runs it. It keeps nothing between two runs but the state of the wheel.
template <class Lock, class Geometry, class Storage, class Admission, class Hooks>
class runner : protected Storage, public Admission, public Hooks {
    using irq_state = decltype(Lock::irq_save());
    using level = typename Geometry::level;
    using checks = checks_of<Geometry>;

protected:
    using Storage::clock;
    using Storage::lists;

public:
    /// As tickwheel_run().
    unsigned run()
    {
        return run_budget(~0u);
    }

    /// As tickwheel_run_budget().
    unsigned run_budget(unsigned budget)
    {
        wheel_clock &time = clock();
        wheel_slots<Geometry> &list = lists();
        // The callbacks so far. `budget - ran` steps are left: any other step is taken off `budget`.
        unsigned ran = 0;
        const auto irq = Lock::irq_save();
        const bool resumes = list.stopped_in_cascade();
        if (list.running != nullptr && !resumes) {
            Lock::irq_restore(irq);
            return 0;
        }
        list.running = list.runner_mark();
        if (resumes) {
            budget = less_a_block(cascade_block(budget, false, irq));
            if (list.stopped_in_cascade()) {
                Lock::irq_restore(irq);
                return 0;
            }
            Lock::preemption_point(irq);
        }
        bool work = time.due();
        while (work) {
            const jiffies_t tick = time.next_event;
            const unsigned slot = Geometry::tv1_slot(tick);
            // From here on an overdue timer is armed for the tick after this one, so this slot only shrinks (I5).
            time.next_event = tick + 1;
            timer_list *timer = list.first[slot];
            if (timer == nullptr && ran != budget) {
                --budget;
            } else {
                do {
                    if (ran == budget) {
                        time.next_event = tick;
                        list.running = nullptr;
                        Lock::irq_restore(irq);
                        return ran;
                    }
                    if (const char *const fault = checks::fault_of_oldest(list, slot)) {
                        list.running = list.runner_mark();
                        (void)dropped<Lock>(fault, list, slot, irq);
                        break;
                    }
                    // Nothing reads the timer after the unlock: its owner may free it then (I6).
                    void (*const function)(timer_list *) = timer->function;
                    list.detach_oldest(slot, timer);
                    Admission::release();
                    list.running = timer;
                    Hooks::callback_begins(timer);
                    Lock::irq_restore(irq);
                    function(timer);
                    Hooks::callback_ends(timer);
                    ++ran;
                    Lock::irq_mask();
                    timer = list.first[slot];
                } while (timer != nullptr);
                list.running = list.runner_mark();
            }
            const uint32_t later = list.marks.clear_marks_up_to(slot);
            if (later != 0) {
                // Bit 31 is this slot, so the leading zeros are the ticks to the next mark.
                time.next_event = tick + count_leading_zeros(later);
            } else if (slot != Geometry::tvr_mask) {
                update_next_event(slot | 31, irq);
            } else {
                budget = ran + advance_block(budget - ran, irq);
                if (list.stopped_in_cascade()) {
                    Lock::irq_restore(irq);
                    return ran;
                }
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

    /// As tickwheel_due().
    int due()
    {
        const locked<Lock> lock;
        return clock().due() || lists().stopped_in_cascade();
    }

private:
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

    // The end of a block counts as seven steps, and so does the rest of it after a stop.
    static constexpr unsigned less_a_block(unsigned steps)
    {
        return steps > 7 ? steps - 7 : 0;
    }

    // Every tick of the block is done and tv1 is empty (I4). Moves to the next block, or over all empty ones at once,
    // and brings the timers of the new block down. Returns how many steps are left.
    [[gnu::noinline]] unsigned advance_block(unsigned steps, irq_state irq)
    {
        wheel_clock &time = clock();
        Lock::preemption_point(irq);
        // If `changed_by` still holds this address later, no list has changed (I8). There is only one runner.
        const void *const unchanged = lists().runner_mark();
        lists().changed_by = unchanged;
        jiffies_t ahead = Geometry::tvr_size;
        // The ticks that are counted since the block began: below 2^31 + tvr_size (I9).
        const jiffies_t behind = time.jiffies + 1 - time.block;
        if (behind >= 2 * Geometry::tvr_size) {
            // The whole blocks that are counted.
            const jiffies_t owed = behind & ~jiffies_t{Geometry::tvr_mask};
            // The search runs unlocked. If a list changed, its result is discarded and the wheel moves on by one
            // block, which is always safe.
            Lock::irq_restore(irq);
            const jiffies_t to_cascade = Storage::distance_to_cascade();
            Lock::irq_mask();
            if (lists().changed_by == unchanged && to_cascade != 0) {
                ahead = to_cascade < owed ? to_cascade : owed;
            }
        }
        time.move_block(ahead);
        time.next_event = time.block;
        return cascade_block(less_a_block(steps), true, irq);
    }

    // Brings the timers of the block down to tv1, and finds the first of them. Returns how many steps are left. If
    // they run out, the next run calls this again, and it begins at tv2 (I10). `empty`: nothing of the block is in
    // tv1 yet.
    unsigned cascade_block(unsigned steps, bool empty, irq_state irq)
    {
        wheel_clock &time = clock();
        const jiffies_t block = time.block;
        if (steps == 0) {
            lists().running = lists().stopped_mark();
            return 0;
        }
        // If `changed_by` still holds this address later, no list has changed (I8).
        lists().changed_by = lists().runner_mark();
        // A timer in an upper level is older than any timer of the same tick in a lower level (I7). Therefore the
        // nearest level cascades first. Each list goes from its youngest to its oldest timer, and each timer goes to
        // the front of its new slot.
        for (level lv = Geometry::tv2(); lv.exists(); lv = lv.above()) {
            Lock::preemption_point(irq);
            const unsigned slot = lv.slot(block);
            if (lists().marks.is_marked(slot)) {
                empty = false;
                steps = steps == 0 ? 0 : cascade(lv, slot, block, steps, irq);
                if (lists().first[slot] != nullptr) {
                    lists().running = lists().stopped_mark();
                    return 0;
                }
                lists().marks.clear_mark(slot);
            }
            if (slot != lv.first_slot) {
                break;
            }
        }
        if (empty && lists().changed_by == lists().runner_mark()) {
            time.next_event = block + Geometry::tvr_mask;
        } else {
            update_next_event(~0u, irq);
        }
        return steps;
    }

    // Moves timers of a slot down until the slot is empty, or the steps end. Returns how many steps are left.
    unsigned cascade(level lv, unsigned slot, jiffies_t block, unsigned steps, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        Hooks::cascade_begins(slot);
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
            Hooks::cascaded(timer);
            Lock::preemption_point(irq);
            if (broken != nullptr) {
                Lock::irq_restore(irq);
                (void)reported(checks::overwritten_links, broken);
                Lock::irq_mask();
            }
            if (--steps == 0) {
                break;
            }
        }
        Hooks::cascade_ends(slot);
        return steps;
    }
};

} // namespace tickwheel

#endif
