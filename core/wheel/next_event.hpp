// SPDX-License-Identifier: MIT
// The search for the next event. It reads marks, and at most one timer, in constant time. A sleeper asks for it by
// next_event(), and the runner searches for its jump over empty blocks.
#ifndef TICKWHEEL_NEXT_EVENT_HPP
#define TICKWHEEL_NEXT_EVENT_HPP

#include <stdint.h>

#include "debug.hpp"
#include "slots.hpp"

namespace tickwheel
{

/// The first slots with work, in ticks from the next block, when every tick of the current block is done and the next
/// block has cascaded.
struct next_slots {
    static constexpr unsigned no_slot = ~0u;

    /// Where the first one begins, and the first one of another level, or event_search::none.
    jiffies_t first;
    jiffies_t second;
    /// The number of the first one, if it is of tv2 to tv5.
    unsigned slot;
};

/// The search of the marks.
template <class Geometry>
struct event_search {
    using level = typename Geometry::level;
    using checks = checks_of<Geometry>;

    /// No slot is marked.
    static constexpr jiffies_t none = ~jiffies_t{0};

    /// Whether something happens in `next_run`, between two runs. If not, it is the last tick of a block, and its
    /// slot has no mark (I3, I10).
    [[gnu::always_inline]] static bool has_work(const slots_of<Geometry> &slots, jiffies_t next_run)
    {
        const unsigned slot = Geometry::tv1_slot(next_run);
        // The slot of that last tick is the last one of its word, so `| 31` changes nothing and only tells the
        // compiler so.
        return (~slot & Geometry::block_mask) != 0 || slots.marks.is_marked(slot | 31) ||
               slots.cascade_unfinished != 0;
    }

    /// As tickwheel_next_event(), with the lock held.
    static int next_event(const wheel_clock &clock, const slots_of<Geometry> &slots, jiffies_t *tick)
    {
        const jiffies_t next = clock.next_run;
        if (slots.running_timer != nullptr) {
            // A run is under way. A callback runs in tick `next_run` - 1 (I5). Between callbacks no work is before
            // `next_run`.
            *tick = next - 1;
            return 1;
        }
        if (has_work(slots, next)) {
            *tick = next;
            return 1;
        }
        next_slots found;
        find(slots.marks, clock.next_block, found);
        if (found.first == none) {
            return 0;
        }
        *tick = clock.next_block + distance_to_event(found, clock, slots);
        return 1;
    }

    /// The ticks from the next block to the next event, when find() has found a slot.
    static jiffies_t distance_to_event(const next_slots &found, const wheel_clock &clock,
                                       const slots_of<Geometry> &slots)
    {
        const timer_list *const timer = lone_timer(slots, found.slot);
        if (timer == nullptr) {
            return found.first;
        }
        const jiffies_t expires = timer->expires - clock.next_block;
        return expires < found.second ? expires : found.second;
    }

    /// The timer of a slot of tv2 to tv5, if the slot has no other one. A debug build finds none if it is
    /// overwritten.
    static timer_list *lone_timer(const slots_of<Geometry> &slots, unsigned slot)
    {
        if (slot == next_slots::no_slot) {
            return nullptr;
        }
        timer_list *const oldest = slots.first[slot];
        return oldest != nullptr && oldest->prev == oldest && checks::misuse_of_timer(slots, oldest) == nullptr
                   ? oldest
                   : nullptr;
    }

    /// Finds the first slots with work. If a slot changes meanwhile, the result may be wrong.
    [[gnu::noinline]] static void find(const bitmap<Geometry> &marks, jiffies_t next_block, next_slots &found)
    {
        // Every tick of the current block is done, so its half of tv1 holds the ticks of the block after the next
        // one. Without a mark this is `none`.
        next_slots here = {marks.steps_to_next_mark(Geometry::tv1(), Geometry::tv1_slot(next_block - 1)) - 1, none,
                           next_slots::no_slot};
        if (here.first >= Geometry::block_size) {
            find_above(marks, next_block, here);
        }
        // One by one: GCC copies the whole by memcpy() on RISC-V.
        found.first = here.first;
        found.second = here.second;
        found.slot = here.slot;
    }

    /// The same in tv2 and above. cascade_block() has cleared the marks of the slots that start at the next block.
    template <unsigned Number = 2>
    [[gnu::always_inline]] static void find_above(const bitmap<Geometry> &marks, jiffies_t next_block,
                                                  next_slots &found)
    {
        constexpr auto here = Geometry::template tv<Number>();
        const unsigned own = here.index(next_block);
        const unsigned steps = marks.steps_to_next_mark(here, own);
        if (steps != 0) {
            const jiffies_t start = distance_to_slot(here, next_block, steps);
            if (start < found.first) {
                found.second = found.first;
                found.first = start;
                // The timers of the overflow level may be later than its slot.
                found.slot = here.overflow() ? next_slots::no_slot : here.slot(next_block + start);
            } else if (start < found.second) {
                found.second = start;
            }
        }
        if constexpr (here.above().exists()) {
            // No level above cascades before this one has reached its end.
            if (steps == 0 || own + steps >= here.size()) {
                find_above<Number + 1>(marks, next_block, found);
            }
        }
    }

    /// The ticks from the next block to the start of the slot that is `steps` slots after its own.
    template <class Level>
    static jiffies_t distance_to_slot(Level lv, jiffies_t next_block, unsigned steps)
    {
        return (((next_block >> lv.shift) + steps) << lv.shift) - next_block;
    }
};

} // namespace tickwheel

#endif
