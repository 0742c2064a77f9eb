// SPDX-License-Identifier: MIT
// The runner of a wheel. It calls what is due, cascades timers ahead, and ends blocks. DESIGN.md explains it with
// pictures, and has the invariants that are cited here as (I3).
#ifndef TICKWHEEL_RUNNER_HPP
#define TICKWHEEL_RUNNER_HPP

#include <stdint.h>

#include "debug.hpp"
#include "next_event.hpp"

namespace tickwheel
{

/// The functions of a run. Wheel provides clock(), slots() and the hooks.
template <class Lock, class Geometry, class Wheel>
class runner {
    using irq_state = decltype(Lock::irq_save());
    using level = typename Geometry::level;
    using checks = checks_of<Geometry>;

public:
    /// 31 bits, so that the sign shows that no step is left.
    static constexpr unsigned max_steps = ~0u >> 1;

    /// As tickwheel_run_budget(), with at most that many steps.
    [[gnu::noinline]] static unsigned run_budget(Wheel &wheel, unsigned steps_left)
    {
        const auto irq = Lock::irq_save();
        if (wheel.slots().running_timer != nullptr) {
            Lock::irq_restore(irq);
            return 0;
        }
        unsigned ran = 0;
        bool work = wheel.clock().due();
        while (work) {
            const jiffies_t tick = wheel.clock().next_run;
            if (!run_tick(wheel, tick, ran, steps_left, irq)) {
                break;
            }
            finish_tick(wheel, tick, steps_left, irq);
            work = wheel.clock().due();
            if (!work && wheel.slots().cascade_unfinished != 0) {
                Lock::interrupt_window(irq);
                cascade_ahead(wheel, ran, steps_left, irq);
                work = wheel.clock().due();
            }
            if (work) {
                Lock::interrupt_window(irq);
            }
        }
        wheel.slots().running_timer = nullptr;
        Lock::irq_restore(irq);
        return ran;
    }

    /// Links the jump, which only a program that counts several ticks at once needs.
    static void link_jump(Wheel &wheel)
    {
        wheel.slots().linked_jump = reinterpret_cast<void (*)()>(jump_over_blocks);
    }

    /// Jumps over counted blocks that have no work. Returns the steps that this takes, or 0 if the runner must begin
    /// the next block. end_block() calls it by the pointer `linked_jump`, with the lock held. It opens the lock for
    /// the search.
    static unsigned jump_over_blocks(Wheel &wheel, irq_state irq)
    {
        auto &slots = wheel.slots();
        // No timer has the address of the slots. If `change_token` still holds it after the search, no slot has
        // changed (I8). Otherwise the result is discarded, because beginning the next block is always safe.
        const void *const unchanged = &slots;
        slots.change_token = unchanged;
        Lock::irq_restore(irq);
        next_slots found;
        event_search<Geometry>::find(slots.marks, wheel.clock().next_block, found);
        Lock::irq_mask_all();
        const unsigned steps = slots.change_token == unchanged ? jump_to(wheel, found) : 0;
        Lock::interrupt_window(irq);
        return steps;
    }

private:
    /// What the end of a block takes of a budget.
    static constexpr unsigned steps_of_block = 7;

    // Calls the timers of a tick, oldest first. Returns false if the steps end before its timers do. In that case
    // the tick is due again. It writes `running_timer` before it opens the lock.
    [[gnu::always_inline]] static bool run_tick(Wheel &wheel, jiffies_t tick, unsigned &ran, unsigned &steps_left,
                                                irq_state irq)
    {
        auto &slots = wheel.slots();
        const unsigned slot = Geometry::tv1_slot(tick);
        // From here on an overdue timer is armed for the tick after this one, and a timer that is a turn of tv1
        // later waits in tv2. So this slot only shrinks (I5).
        wheel.clock().next_run = tick + 1;
        wheel.clock().tv1_limit = tick + Geometry::tvr_size;
        timer_list *timer = slots.head(slot);
        do {
            if (static_cast<int32_t>(--steps_left) < 0) {
                wheel.clock().next_run = tick;
                return false;
            }
            // An empty tick costs a step too, because there may be many of them.
            if (timer == nullptr) {
                break;
            }
            if (const timer_list *const overwritten = checks::drop_overwritten_oldest(slots, slot)) {
                slots.running_timer = slots.between_callbacks();
                report_dropped<Lock>(overwritten, irq);
                break;
            }
            // Nothing reads the timer after the unlock: its owner may free it then (I6).
            void (*const function)(timer_list *) = timer->function;
            slots.detach_oldest(slot, timer);
            slots.running_timer = timer;
            wheel.callback_begins(timer);
            Lock::irq_restore(irq);
            function(timer);
            wheel.callback_ends(timer);
            ++ran;
            Lock::irq_mask_all();
            timer = slots.head(slot);
        } while (timer != nullptr);
        slots.running_timer = slots.between_callbacks();
        return true;
    }

    // A tick is done. Sets `next_run` to the next mark of its block, or ends the block.
    [[gnu::always_inline]] static void finish_tick(Wheel &wheel, jiffies_t tick, unsigned &steps_left, irq_state irq)
    {
        const unsigned slot = Geometry::tv1_slot(tick);
        // Bit 31 is this slot, which has no mark any more, so the leading zeros are the ticks to the next one.
        const uint32_t later = wheel.slots().marks.clear_mark(slot) << slot % 32;
        if (later != 0) {
            wheel.clock().next_run = tick + count_leading_zeros(later);
        } else if ((~slot & Geometry::block_mask) != 0) {
            update_next_run(wheel, (tick | 31) + 1, irq);
        } else {
            steps_left = end_block(wheel, steps_left, irq);
        }
    }

    // Searches the marks of the block from `tick` on, the first tick of a word. Sets `next_run` to the first
    // marked tick, or to the block's last tick if none is marked. It has an interrupt window before the first word.
    // Meanwhile `next_run` is `tick`. An arm then either lowers `next_run`, and the search ends, or marks a slot that
    // is still to be searched.
    [[gnu::noinline]] static void update_next_run(Wheel &wheel, jiffies_t tick, irq_state irq)
    {
        wheel_clock &clock = wheel.clock();
        const jiffies_t end = clock.next_block;
        if (tick != end) {
            clock.next_run = tick;
            Lock::interrupt_window(irq);
            if (clock.next_run != tick) {
                return;
            }
            const shared_word *word = &wheel.slots().marks.words[Geometry::tv1_slot(tick) / 32];
            do {
                const uint32_t bits = *word++;
                if (bits != 0) {
                    clock.next_run = tick + count_leading_zeros(bits);
                    return;
                }
                tick += 32;
            } while (tick != end);
        }
        clock.next_run = tick - 1;
    }

    // Ends a block: cascades the rest of the next block, then begins that block, or jumps over all empty blocks.
    // Returns the steps left. If they end during the cascade, the last tick is due again.
    [[gnu::noinline]] static unsigned end_block(Wheel &wheel, unsigned steps, irq_state irq)
    {
        wheel_clock &clock = wheel.clock();
        if (wheel.slots().cascade_unfinished != 0) {
            // At least one timer, because the empty last tick may already have used the budget.
            steps = cascade_block(wheel, steps != 0 ? steps : 1, irq);
            if (wheel.slots().cascade_unfinished != 0) {
                clock.next_run = clock.next_block - 1;
                return 0;
            }
        }
        Lock::interrupt_window(irq);
        unsigned taken = 0;
        const auto jump = reinterpret_cast<unsigned (*)(Wheel &, irq_state)>(wheel.slots().linked_jump);
        // A search for less than a block would not pay.
        if (counted_from_next_block(clock) >= Geometry::block_size && jump != nullptr) {
            taken = jump(wheel, irq);
        }
        if (taken == 0) {
            const jiffies_t block = clock.next_block;
            clock.pass_blocks(Geometry::block_size, Geometry::block_mask);
            wheel.slots().cascade_unfinished = 1;
            update_next_run(wheel, block, irq);
            taken = steps_of_block;
        }
        return steps > taken ? steps - taken : 0;
    }

    // The ticks that are counted from the next block on: below 2^31 (I9).
    static jiffies_t counted_from_next_block(const wheel_clock &clock)
    {
        return clock.jiffies + 1 - clock.next_block;
    }

    // Jumps to what the search has found. Returns the steps that this takes, or 0 if there is no block to jump over.
    [[gnu::always_inline]] static unsigned jump_to(Wheel &wheel, const next_slots &found)
    {
        wheel_clock &clock = wheel.clock();
        auto &slots = wheel.slots();
        const jiffies_t counted = counted_from_next_block(clock);
        if (timer_list *const timer = event_search<Geometry>::lone_timer(slots, found.slot)) {
            const jiffies_t tick = timer->expires;
            const jiffies_t distance = tick - clock.next_block;
            if (distance < found.second && distance < counted) {
                // No other slot begins before the tick of this timer, so the block of that tick begins now.
                wheel.cascade_begins(found.slot);
                slots.move_lone(found.slot, Geometry::tv1_slot(tick), timer);
                wheel.cascaded(timer);
                wheel.cascade_ends(found.slot);
                clock.pass_blocks((distance | Geometry::block_mask) + 1, Geometry::block_mask);
                slots.cascade_unfinished = 1;
                clock.next_run = tick;
                return 2 * steps_of_block;
            }
        }
        // Whole blocks, counted from the current one.
        const jiffies_t most = counted + Geometry::block_size;
        const jiffies_t empty = (found.first < most ? found.first : most) & ~jiffies_t{Geometry::block_mask};
        if (empty == 0) {
            return 0;
        }
        // It ends in the last empty block, of which only the last tick is left. The slots at the new next block
        // cascade next.
        clock.pass_blocks(empty, Geometry::block_mask);
        slots.cascade_unfinished = 1;
        clock.next_run = clock.next_block - 1;
        return steps_of_block;
    }

    // A run that has caught up cascades 125 timers of the next block, less one for each of its callbacks: 16 000
    // in 128 such runs. It may always cascade 64, so that callbacks do not leave all the moves to the last tick.
    static constexpr unsigned max_cascaded = 125;
    static constexpr unsigned min_cascaded = 64;

    [[gnu::always_inline]] static void cascade_ahead(Wheel &wheel, unsigned ran, unsigned &steps_left, irq_state irq)
    {
        unsigned limit = ran < max_cascaded - min_cascaded ? max_cascaded - ran : min_cascaded;
        limit = limit < steps_left ? limit : steps_left;
        steps_left -= limit - cascade_block(wheel, limit, irq);
        if (wheel.slots().cascade_unfinished != 0 && !wheel.clock().due()) {
            // The next tick cascades more of them (I10).
            wheel.clock().next_run = wheel.clock().jiffies + 1;
        }
    }

    // Cascades the next block to tv1: its slot of tv2, and the slots of higher levels that begin with it. Returns
    // how many steps are left.
    [[gnu::noinline]] static unsigned cascade_block(Wheel &wheel, unsigned steps, irq_state irq)
    {
        const jiffies_t next_block = wheel.clock().next_block;
        // A timer in an upper level is older than any timer of the same tick in a lower level (I7). Therefore the
        // lowest level cascades first. Each slot goes from its youngest to its oldest timer, and each timer goes to
        // the front of its new slot.
        unsigned slot = Geometry::tv2().slot(next_block);
        for (level above = Geometry::tv2().above();; above = above.above()) {
            Lock::interrupt_window(irq);
            if (wheel.slots().marks.is_marked(slot)) {
                steps = cascade_slot(wheel, slot, next_block, steps, irq);
                if (wheel.slots().first[slot] != nullptr) {
                    return steps;
                }
                wheel.slots().marks.clear_mark(slot);
            }
            // A level above cascades only when the next block is the start of one of its slots.
            if (!above.exists() || next_block >> above.shift << above.shift != next_block) {
                break;
            }
            slot = above.slot(next_block);
        }
        wheel.slots().cascade_unfinished = 0;
        return steps;
    }

    // Cascades timers of a slot until the slot is empty, or the steps end. Returns how many steps are left.
    static unsigned cascade_slot(Wheel &wheel, unsigned slot, jiffies_t next_block, unsigned steps, irq_state irq)
    {
        auto &slots = wheel.slots();
        wheel.cascade_begins(slot);
        timer_list *oldest = slots.first[slot];
        while (steps != 0 && oldest != nullptr) {
            if (const timer_list *const overwritten = checks::drop_overwritten_youngest(slots, slot)) {
                report_dropped<Lock>(overwritten, irq);
                break;
            }
            timer_list *const timer = slots.take_youngest(slot, oldest);
            const jiffies_t expires = timer->expires;
            const jiffies_t distance = expires - next_block;
            const unsigned below = distance < Geometry::block_size ? Geometry::tv1_slot(expires)
                                                                   : Geometry::upper_slot(expires, distance);
            const timer_list *const overwritten = checks::drop_overwritten_oldest(slots, below);
            slots.prepend(below, timer);
            wheel.cascaded(timer);
            Lock::interrupt_window(irq);
            report_dropped<Lock>(overwritten, irq);
            --steps;
            oldest = slots.first[slot];
        }
        wheel.cascade_ends(slot);
        return steps;
    }
};

} // namespace tickwheel

#endif
