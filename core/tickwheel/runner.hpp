// SPDX-License-Identifier: MIT
/// @file
/// The runner of a wheel: it calls what is due, brings timers down ahead, and moves from block to block. DESIGN.md
/// explains it with pictures, and has the invariants that are cited here as (I3).
#ifndef TICKWHEEL_RUNNER_HPP
#define TICKWHEEL_RUNNER_HPP

#include <stdint.h>

#include <tickwheel/checks.hpp>
#include <tickwheel/hooks.hpp>
#include <tickwheel/locked.hpp>
#include <tickwheel/storage.hpp>

namespace tickwheel
{

/// The part of a wheel that runs it.
template <class Lock, class Geometry, class Storage, class Hooks>
class runner : protected Storage, public Hooks {
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
        // The callbacks so far. `budget - ran` steps are left. Other steps reduce `budget`.
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
            } else if ((~slot & Geometry::block_mask) != 0) {
                update_next_event((tick | 31) + 1, irq);
            } else {
                budget = ran + advance_block(budget - ran, irq);
            }
            work = time.due();
            if (!work && list.coming_down != 0) {
                Lock::preemption_point(irq);
                // Each callback of this run takes one move away.
                const unsigned steps = budget < most_ahead ? budget : most_ahead;
                const unsigned most = ran < steps ? steps - ran : 0;
                budget -= most - bring_down(most, irq);
                work = time.due();
                if (!work && list.coming_down != 0) {
                    // The next tick brings down more of them (I10).
                    time.next_event = time.jiffies + 1;
                }
            }
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
        return clock().due();
    }

private:
    // The most timers that come down ahead after the callbacks of a run: 16 000 in the 128 ticks of a block.
    static constexpr unsigned most_ahead = 125;

    // Sets `next_event` to the first marked tick of the block, else to its last tick. Called with the marks of ticks
    // before `tick` clear. It opens the lock once. Meanwhile `next_event` is `tick`. An arm then either lowers
    // `next_event`, and the search ends, or marks a slot still to be searched.
    [[gnu::noinline]] void update_next_event(jiffies_t tick, irq_state irq)
    {
        wheel_clock &time = clock();
        time.next_event = tick;
        Lock::preemption_point(irq);
        if (time.next_event == tick) {
            const jiffies_t block = time.block;
            const unsigned offset = lists().marks.first_marked_in_half(Geometry::tv1_slot(block));
            time.next_event = block + (offset < Geometry::block_mask ? offset : Geometry::block_mask);
        }
    }

    // Every tick of the block is done (I4). Brings down the rest of the next block. Then moves on by one block, or
    // over all empty blocks. Returns the steps left. If they end while timers come down, the last tick is due again.
    [[gnu::noinline]] unsigned advance_block(unsigned steps, irq_state irq)
    {
        wheel_clock &time = clock();
        if (lists().coming_down != 0) {
            Lock::preemption_point(irq);
            // One timer at least. Otherwise the empty last tick would take a small budget for ever.
            steps = bring_down(steps != 0 ? steps : 1, irq);
            if (lists().coming_down != 0) {
                time.next_event = time.block + Geometry::block_mask;
                return 0;
            }
        }
        Lock::preemption_point(irq);
        // If `changed_by` still holds this address after the search below, no list has changed (I8). Only the search
        // needs the store, but inside the `if` it takes more code.
        const void *const unchanged = lists().runner_mark();
        lists().changed_by = unchanged;
        jiffies_t ahead = Geometry::block_size;
        bool above = true;
        bool jumps = false;
        // The ticks that are counted since the block began: below 2^31 + block_size (I9).
        const jiffies_t behind = time.jiffies + 1 - time.block;
        if (behind >= 2 * Geometry::block_size) {
            // The whole blocks that are counted.
            const jiffies_t owed = behind & ~jiffies_t{Geometry::block_mask};
            // The search runs unlocked. If a list changed, its result is discarded and the wheel moves on by one
            // block, which is always safe.
            Lock::irq_restore(irq);
            const jiffies_t empty = Storage::jump();
            Lock::irq_mask();
            if (lists().changed_by == unchanged && empty != 0) {
                above = empty <= owed;
                ahead = above ? empty : owed;
                jumps = true;
            }
        }
        time.move_block(ahead, Geometry::block_mask);
        lists().coming_down = above;
        if (jumps) {
            time.next_event = time.block + Geometry::block_mask;
        } else {
            update_next_event(time.block, irq);
        }
        // The end of a block counts as seven steps.
        return steps > 7 ? steps - 7 : 0;
    }

    // Brings the next block down to tv1. While the first block of the base comes down, its second one goes to
    // staging. Returns how many steps are left.
    [[gnu::noinline]] unsigned bring_down(unsigned steps, irq_state irq)
    {
        Lock::preemption_point(irq);
        const jiffies_t base = clock().base;
        const bool second = clock().block == base;
        // A timer in an upper level is older than any timer of the same tick in a lower level (I7). Therefore the
        // nearest level cascades first. Each list goes from its youngest to its oldest timer, and each timer goes to
        // the front of its new slot.
        level lv = Geometry::tv2();
        unsigned slot = second ? Geometry::staging : lv.slot(base);
        for (;;) {
            if (lists().marks.is_marked(slot)) {
                steps = cascade(lv, slot, base, steps, irq);
                if (lists().first[slot] != nullptr) {
                    return steps;
                }
                lists().marks.clear_mark(slot);
            }
            // A level above cascades only with the first slot of this one.
            if (slot != lv.first_slot || !lv.above().exists()) {
                break;
            }
            lv = lv.above();
            slot = lv.slot(base);
            Lock::preemption_point(irq);
        }
        lists().coming_down = 0;
        return steps;
    }

    // Moves timers of a slot down until the slot is empty, or the steps end. Returns how many steps are left.
    unsigned cascade(level lv, unsigned slot, jiffies_t base, unsigned steps, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        Hooks::cascade_begins(slot);
        // block_size while the first block of the base comes down, else 0.
        const jiffies_t first = base - clock().block;
        timer_list *oldest = list.first[slot];
        while (oldest != nullptr && steps != 0) {
            if (dropped<Lock>(checks::fault_of_youngest(list, slot), list, slot, irq)) {
                break;
            }
            timer_list *const timer = list.take_youngest(slot, oldest);
            const jiffies_t expires = timer->expires;
            unsigned below = Geometry::tv1_slot(expires);
            if (lv.shift != Geometry::tv2().shift && expires - base >= Geometry::tvr_size) {
                below = Geometry::upper_slot(expires, expires - base);
            } else if ((expires & first) != 0) {
                // The second block of the base, while the first one comes down.
                below = Geometry::staging;
            }
            // Otherwise GCC takes one instruction more for each timer.
            __asm__("" : "+r"(below));
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
            --steps;
            oldest = list.first[slot];
        }
        Hooks::cascade_ends(slot);
        return steps;
    }
};

} // namespace tickwheel

#endif
