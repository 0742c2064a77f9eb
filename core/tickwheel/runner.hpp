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
#include <tickwheel/next_event.hpp>
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
    unsigned run_budget(unsigned steps_left)
    {
        const auto irq = Lock::irq_save();
        if (lists().running != nullptr) {
            Lock::irq_restore(irq);
            return 0;
        }
        lists().running = lists().runner_mark();
        unsigned ran = 0;
        bool work = clock().due();
        while (work) {
            const jiffies_t tick = clock().next_event;
            if (!run_tick(tick, ran, steps_left, irq)) {
                break;
            }
            move_on(tick, steps_left, irq);
            work = clock().due();
            if (!work && lists().coming_down != 0) {
                Lock::preemption_point(irq);
                bring_down_ahead(ran, steps_left, irq);
                work = clock().due();
            }
            if (work) {
                Lock::preemption_point(irq);
            }
        }
        lists().running = nullptr;
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
    // Calls the timers of a tick, oldest first. Returns false if the steps end before its timers do: the tick is due
    // again then.
    [[gnu::always_inline]] bool run_tick(jiffies_t tick, unsigned &ran, unsigned &steps_left, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        const unsigned slot = Geometry::tv1_slot(tick);
        // From here on an overdue timer is armed for the tick after this one, and a timer that is a turn later waits
        // in tv2. So this slot only shrinks (I5).
        clock().next_event = tick + 1;
        clock().window = tick + Geometry::tvr_size;
        timer_list *timer = list.first[slot];
        do {
            if (steps_left == 0) {
                clock().next_event = tick;
                return false;
            }
            --steps_left;
            // There may be many empty ticks, so they take a step too.
            if (timer == nullptr) {
                break;
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
        return true;
    }

    // A tick is done. Sets `next_event` to the next mark of its block. At the end of the block it moves on.
    [[gnu::always_inline]] void move_on(jiffies_t tick, unsigned &steps_left, irq_state irq)
    {
        const unsigned slot = Geometry::tv1_slot(tick);
        lists().marks.clear_mark(slot);
        const uint32_t later = lists().marks.marks_after(slot);
        if (later != 0) {
            // Bit 31 is this slot, so the leading zeros are the ticks to the next mark.
            clock().next_event = tick + count_leading_zeros(later);
        } else if ((~slot & Geometry::block_mask) != 0) {
            update_next_event((tick | 31) + 1, irq);
        } else {
            steps_left = advance_block(steps_left, irq);
        }
    }

    // Timers come down ahead after the callbacks of a run, 125 together with these: 16 000 in the 128 ticks of a
    // block. However many callbacks there were, 64 come down. Otherwise a crowd would wait for the last tick of its
    // block.
    static constexpr unsigned most_ahead = 125;
    static constexpr unsigned least_ahead = 64;

    [[gnu::always_inline]] void bring_down_ahead(unsigned ran, unsigned &steps_left, irq_state irq)
    {
        unsigned most = ran < most_ahead - least_ahead ? most_ahead - ran : least_ahead;
        most = most < steps_left ? most : steps_left;
        steps_left -= most - bring_down(most, irq);
        if (lists().coming_down != 0 && !clock().due()) {
            // The next tick brings down more of them (I10).
            clock().next_event = clock().jiffies + 1;
        }
    }

    // Sets `next_event` to the first marked tick of the block from `tick` on, which begins a word of marks, else to
    // the block's last tick. It opens the lock before each word. Meanwhile `next_event` is the word's first tick. An
    // arm then either lowers `next_event`, and the search ends, or marks a slot that is still to be searched.
    [[gnu::noinline]] void update_next_event(jiffies_t tick, irq_state irq)
    {
        wheel_clock &time = clock();
        while (tick != time.base) {
            time.next_event = tick;
            Lock::preemption_point(irq);
            if (time.next_event != tick) {
                return;
            }
            const uint32_t bits = lists().marks.words[Geometry::tv1_slot(tick) / 32];
            if (bits != 0) {
                time.next_event = tick + count_leading_zeros(bits);
                return;
            }
            tick += 32;
        }
        time.next_event = tick - 1;
    }

    // Every tick of the block is done (I4). Brings down the rest of the next block. Then moves on by one block, or
    // over all empty blocks. Returns the steps left. If they end while timers come down, the last tick is due again.
    [[gnu::noinline]] unsigned advance_block(unsigned steps, irq_state irq)
    {
        wheel_clock &time = clock();
        if (lists().coming_down != 0) {
            // One timer at least. Otherwise the empty last tick would take a small budget for ever.
            steps = bring_down(steps != 0 ? steps : 1, irq);
            if (lists().coming_down != 0) {
                time.next_event = time.base - 1;
                return 0;
            }
        }
        Lock::preemption_point(irq);
        const jiffies_t empty = empty_ticks(irq);
        if (empty != 0) {
            // No timer is due in these blocks. What begins at the new base comes down.
            time.move_block(empty, Geometry::block_mask);
            lists().coming_down = 1;
            time.next_event = time.base - 1;
        } else {
            const jiffies_t block = time.base;
            time.move_block(Geometry::block_size, Geometry::block_mask);
            lists().coming_down = 1;
            update_next_event(block, irq);
        }
        // The end of a block counts as seven steps.
        return steps > 7 ? steps - 7 : 0;
    }

    // How far the block may jump over empty blocks that are counted: 0 if it moves on by one. Called with the lock
    // held. Opens it for the search.
    [[gnu::always_inline]] jiffies_t empty_ticks(irq_state irq)
    {
        // The ticks that are counted since the block began: below 2^31 + block_size (I9).
        const jiffies_t behind = clock().jiffies + 1 - (clock().base - Geometry::block_size);
        if (behind < 2 * Geometry::block_size) {
            return 0;
        }
        // If `changed_by` still holds this address after the search, no list has changed (I8). Otherwise the result
        // is discarded: to move on by one block is always safe.
        const void *const unchanged = lists().runner_mark();
        lists().changed_by = unchanged;
        Lock::irq_restore(irq);
        const jiffies_t empty = event_search<Geometry>::distance_to_work(lists().marks, clock().base);
        Lock::irq_mask();
        if (lists().changed_by != unchanged) {
            return 0;
        }
        // Whole blocks.
        return (empty < behind ? empty : behind) & ~jiffies_t{Geometry::block_mask};
    }

    // Brings the next block down to tv1: its list of tv2, and the slots of higher levels that begin with it. Returns
    // how many steps are left.
    [[gnu::noinline]] unsigned bring_down(unsigned steps, irq_state irq)
    {
        const jiffies_t base = clock().base;
        // A timer in an upper level is older than any timer of the same tick in a lower level (I7). Therefore the
        // nearest level cascades first. Each list goes from its youngest to its oldest timer, and each timer goes to
        // the front of its new slot.
        unsigned slot = Geometry::tv2().slot(base);
        for (level above = Geometry::tv2().above();; above = above.above()) {
            Lock::preemption_point(irq);
            if (lists().marks.is_marked(slot)) {
                steps = cascade(slot, base, steps, irq);
                if (lists().first[slot] != nullptr) {
                    return steps;
                }
                lists().marks.clear_mark(slot);
            }
            // A level above cascades only when the base is the start of one of its slots.
            if (!above.exists() || base >> above.shift << above.shift != base) {
                break;
            }
            slot = above.slot(base);
        }
        lists().coming_down = 0;
        return steps;
    }

    // Moves timers of a slot down until the slot is empty, or the steps end. Returns how many steps are left.
    unsigned cascade(unsigned slot, jiffies_t base, unsigned steps, irq_state irq)
    {
        wheel_slots<Geometry> &list = lists();
        Hooks::cascade_begins(slot);
        timer_list *oldest = list.first[slot];
        while (oldest != nullptr && steps != 0) {
            if (dropped<Lock>(checks::fault_of_youngest(list, slot), list, slot, irq)) {
                break;
            }
            timer_list *const timer = list.take_youngest(slot, oldest);
            const jiffies_t expires = timer->expires;
            const jiffies_t distance = expires - base;
            // A slot of tv2 has one block: all of it goes to tv1.
            const unsigned below = slot < Geometry::tv2().end() || distance < Geometry::block_size
                                       ? Geometry::tv1_slot(expires)
                                       : Geometry::upper_slot(expires, distance);
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
