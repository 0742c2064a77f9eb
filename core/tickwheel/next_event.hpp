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

    /// Nothing is pending above tv1.
    static constexpr jiffies_t none = ~jiffies_t{0};

    /// As tickwheel_next_event(), with the lock held.
    static int answer(const wheel_clock &clock, const wheel_slots<Geometry> &lists, jiffies_t *tick)
    {
        const jiffies_t next = clock.next_event;
        if (lists.run_is_under_way()) {
            // Below the caller. Its tick is the one before (I5).
            *tick = next - 1;
            return 1;
        }
        jiffies_t distance = next - clock.block;
        // Between two runs `next_event` is the first mark of tv1 (I3), or else the last tick of the block.
        if (distance == Geometry::tvr_mask && !lists.marks.is_marked(Geometry::tvr_mask)) {
            distance = distance_to_cascade(lists.marks, clock.block);
            if (distance == none) {
                return 0;
            }
        }
        *tick = clock.block + distance;
        return 1;
    }

    /// The ticks from a block to the next block at which a marked slot of tv2 or above cascades.
    static jiffies_t distance_to_cascade(const marks &slots, jiffies_t block)
    {
        jiffies_t nearest = none;
        for (level lv = Geometry::tv2(); lv.exists(); lv = lv.above()) {
            const unsigned own = lv.slot(block);
            const unsigned steps = slots.marked_after(lv, own);
            // A whole turn of tv5 from the start of a slot would give 0, but that slot is empty (I4).
            const jiffies_t here = steps == 0 ? none : distance_to_slot(lv, block, steps);
            nearest = here < nearest ? here : nearest;
            if (steps != 0 && own + steps < lv.end()) {
                // No level above cascades before this one has reached its end.
                break;
            }
        }
        return nearest;
    }

    /// The ticks from a block to the start of the slot that is `steps` slots after its own.
    static jiffies_t distance_to_slot(level lv, jiffies_t block, unsigned steps)
    {
        return (((block >> lv.shift) + steps) << lv.shift) - block;
    }
};

} // namespace tickwheel

#endif
