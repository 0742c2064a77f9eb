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

    /// No slot of tv2 or above is marked.
    static constexpr jiffies_t none = ~jiffies_t{0};

    /// As tickwheel_next_event(), with the lock held.
    static int answer(const wheel_clock &clock, const wheel_slots<Geometry> &lists, jiffies_t *tick)
    {
        const jiffies_t next = clock.next_event;
        if (lists.running != nullptr) {
            // A run is under way. A callback runs in tick `next_event` - 1 (I5). Between callbacks no work is before
            // `next_event`.
            *tick = next - 1;
            return 1;
        }
        const unsigned slot = Geometry::tv1_slot(next);
        // Between two runs `next_event` is the first mark of the block (I3), or else the last tick of the block. The
        // slot of that one is the last of its word: `| 31` only tells the compiler.
        if ((~slot & Geometry::block_mask) != 0 || lists.marks.is_marked(slot | 31) || lists.coming_down != 0) {
            *tick = next;
            return 1;
        }
        const unsigned other = (slot + 1) & Geometry::tvr_mask;
        const unsigned ahead = lists.marks.first_marked_in_half(other);
        if (ahead != Geometry::block_size) {
            *tick = next + 1 + ahead;
            return 1;
        }
        // The second block of the base. The run in its first tick brings its timers down before it calls them.
        if (lists.marks.is_marked(Geometry::staging)) {
            *tick = clock.base + Geometry::block_size;
            return 1;
        }
        const jiffies_t distance = distance_to_cascade(lists.marks, clock.base);
        if (distance == none) {
            return 0;
        }
        *tick = clock.base + distance;
        return 1;
    }

    /// How far the block may jump: 0 if the next block or staging has a mark. Called with the lock open.
    static jiffies_t jump(const marks &slots, const wheel_clock &clock)
    {
        const unsigned other = Geometry::tv1_slot(clock.block) ^ Geometry::block_size;
        if (slots.first_marked_in_half(other) != Geometry::block_size || slots.is_marked(Geometry::staging)) {
            return 0;
        }
        const jiffies_t distance = distance_to_cascade(slots, clock.base);
        // With `none` this is more than all ticks that can be owed.
        return clock.base - clock.block + distance - Geometry::block_size;
    }

    /// The ticks from the base to the nearest start of a marked slot of tv2 or above.
    static jiffies_t distance_to_cascade(const marks &slots, jiffies_t base)
    {
        jiffies_t nearest = none;
        for (level lv = Geometry::tv2(); lv.exists(); lv = lv.above()) {
            const unsigned own = lv.slot(base);
            const unsigned steps = slots.marked_after(lv, own);
            // A whole turn of tv5 from the start of a slot would give 0, but bring_down() has cleared that mark.
            const jiffies_t here = steps == 0 ? none : distance_to_slot(lv, base, steps);
            nearest = here < nearest ? here : nearest;
            if (steps != 0 && own + steps < lv.end()) {
                // No level above cascades before this one has reached its end.
                break;
            }
        }
        return nearest;
    }

    /// The ticks from the base to the start of the slot that is `steps` slots after its own.
    static jiffies_t distance_to_slot(level lv, jiffies_t base, unsigned steps)
    {
        return (((base >> lv.shift) + steps) << lv.shift) - base;
    }
};

} // namespace tickwheel

#endif
