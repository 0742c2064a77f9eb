// SPDX-License-Identifier: MIT
// The search of the marks: for next_event(), and for the jump over empty blocks. It walks no list.
#ifndef TICKWHEEL_NEXT_EVENT_HPP
#define TICKWHEEL_NEXT_EVENT_HPP

#include <stdint.h>

#include <tickwheel/state.hpp>

namespace tickwheel
{

template <class Geometry>
struct event_search {
    using level = typename Geometry::level;
    using marks = bitmap<Geometry>;

    static constexpr jiffies_t none = ~jiffies_t{0};
    /// How many marks answer() tests for a timer. More would lengthen the masked section.
    static constexpr unsigned most_attempts = 2;

    /// As tickwheel_next_event(), with the lock held.
    static int answer(wheel_clock &clock, wheel_slots<Geometry> &lists, jiffies_t *tick)
    {
        const jiffies_t block = clock.block;
        // A stale mark is cleared, and the search starts again. The last attempt takes its mark as it is, so the time
        // is bounded.
        for (unsigned attempt = 1;; ++attempt) {
            jiffies_t distance = 0;
            const unsigned slot = nearest_mark(lists.marks, block, distance);
            if (slot == Geometry::slot_count) {
                return 0;
            }
            if (lists.first[slot] != nullptr || attempt == most_attempts) {
                *tick = block + distance;
                return 1;
            }
            (void)lists.marks.clear_mark(slot);
        }
    }

    /// The ticks from a block to the start of the slot that is `steps` slots after its own. A whole turn of tv5 from
    /// the start of a slot would give 0, but that slot is empty (I4).
    static jiffies_t distance_to_slot(level lv, jiffies_t block, unsigned steps)
    {
        return (((block >> lv.shift) + steps) << lv.shift) - block;
    }

    /// The ticks from a block to the next block at which a marked slot of tv2 or above cascades. Most levels are
    /// empty most of the time, so that test is in line.
    template <unsigned Number = 2>
    [[gnu::always_inline]] static jiffies_t distance_to_cascade(const marks &slots, jiffies_t block)
    {
        constexpr level lv = Geometry::template tv<Number>();
        if constexpr (lv.exists()) {
            const jiffies_t above = distance_to_cascade<Number + 1>(slots, block);
            const jiffies_t here = slots.level_has_mark(lv) ? distance_to_cascade(slots, lv, block) : none;
            return here < above ? here : above;
        } else {
            return none;
        }
    }
    static jiffies_t distance_to_cascade(const marks &slots, level lv, jiffies_t block)
    {
        const unsigned steps = slots.marked_after(lv, lv.slot(block));
        return steps == 0 ? none : distance_to_slot(lv, block, steps);
    }

    /// The marked slot with the earliest event, and the ticks from the block to that event. slot_count means that no
    /// slot is marked. The event of a slot of tv1 is its tick. A slot of an upper level cascades in its first tick.
    static unsigned nearest_mark(const marks &slots, jiffies_t block, jiffies_t &distance)
    {
        // The slot that the block has just reached may hold timers: its cascade is under way below the caller (I4).
        for (level lv = Geometry::tv2(); lv.exists(); lv = lv.above()) {
            const unsigned own = lv.slot(block);
            if (block >> lv.shift << lv.shift != block) {
                break;
            }
            if (slots.is_marked(own)) {
                distance = 0;
                return own;
            }
        }
        // All marks of tv1 belong to this block (I4), and the block ends before the next cascade.
        unsigned nearest = slots.first_marked_from(0);
        distance = nearest;
        if (nearest != Geometry::tvr_size) {
            return nearest;
        }
        nearest = Geometry::slot_count;
        distance = none;
        for (level lv = Geometry::tv2(); lv.exists(); lv = lv.above()) {
            const unsigned own = lv.slot(block);
            const unsigned steps = slots.marked_after(lv, own);
            const jiffies_t here = steps == 0 ? none : distance_to_slot(lv, block, steps);
            if (here < distance) {
                distance = here;
                nearest = lv.first_slot + ((own - lv.first_slot + steps) & (lv.size() - 1));
            }
        }
        return nearest;
    }
};

} // namespace tickwheel

#endif
