// SPDX-License-Identifier: MIT
// The search for the next event. It looks at marks only, in constant time. A sleeper asks for it by next_event(), and
// the runner searches for its jump over empty blocks.
#ifndef TICKWHEEL_NEXT_EVENT_HPP
#define TICKWHEEL_NEXT_EVENT_HPP

#include <stdint.h>

#include "slots.hpp"

namespace tickwheel
{

/// The search of the marks.
template <class Geometry>
struct event_search {
    using level = typename Geometry::level;

    /// No slot is marked.
    static constexpr jiffies_t none = ~jiffies_t{0};

    /// As tickwheel_next_event(), with the lock held.
    static int next_event(const wheel_clock &clock, const wheel_slots<Geometry> &slots, jiffies_t *tick)
    {
        const jiffies_t next = clock.next_run;
        if (slots.running_timer != nullptr) {
            // A run is under way. A callback runs in tick `next_run` - 1 (I5). Between callbacks no work is before
            // `next_run`.
            *tick = next - 1;
            return 1;
        }
        const unsigned slot = Geometry::tv1_slot(next);
        // Between two runs `next_run` is the first mark of the block (I3), or else the last tick of the block. The
        // slot of that last tick is the last one of its word, so `| 31` changes nothing and only tells the
        // compiler so.
        if ((~slot & Geometry::block_mask) != 0 || slots.marks.is_marked(slot | 31) || slots.cascading != 0) {
            *tick = next;
            return 1;
        }
        const jiffies_t distance = distance_to_work(slots.marks, clock.next_block);
        if (distance == none) {
            return 0;
        }
        *tick = clock.next_block + distance;
        return 1;
    }

    /// The ticks from the next block to the next one with work, when every tick of the current block is done and the
    /// next block has cascaded.
    static jiffies_t distance_to_work(const bitmap<Geometry> &marks, jiffies_t next_block)
    {
        // Every tick of the current block is done, so its half of tv1 holds the ticks of the block after the next
        // one. Without a mark `near` is `none`.
        const jiffies_t near = marks.steps_to_next_mark(Geometry::tv1(), Geometry::tv1_slot(next_block - 1)) - 1;
        if (near < Geometry::block_size) {
            return near;
        }
        const jiffies_t cascade = distance_to_cascade(marks, next_block);
        return near < cascade ? near : cascade;
    }

    /// The ticks from the next block to the nearest start of a marked slot of tv2 or above. cascade_block() has
    /// cleared the marks of the slots that start at the next block.
    template <unsigned Number = 2>
    [[gnu::always_inline]] static jiffies_t distance_to_cascade(const bitmap<Geometry> &marks, jiffies_t next_block)
    {
        constexpr auto here = Geometry::template tv<Number>();
        const unsigned own = here.index(next_block);
        const unsigned steps = marks.steps_to_next_mark(here, own);
        const jiffies_t distance = steps == 0 ? none : distance_to_slot(here, next_block, steps);
        if constexpr (here.above().exists()) {
            // No level above cascades before this one has reached its end.
            if (steps == 0 || own + steps >= here.size()) {
                const jiffies_t above = distance_to_cascade<Number + 1>(marks, next_block);
                return above < distance ? above : distance;
            }
        }
        return distance;
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
