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

    /// No slot is marked.
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
        const jiffies_t distance = distance_to_work(lists.marks, clock.base);
        if (distance == none) {
            return 0;
        }
        *tick = clock.base + distance;
        return 1;
    }

    /// The ticks from the base to the next one with work, when every tick of the current block is done and the next
    /// block has come down.
    static jiffies_t distance_to_work(const marks &slots, jiffies_t base)
    {
        const jiffies_t near = distance_in_tv1(slots, base);
        if (near < Geometry::block_size) {
            return near;
        }
        const jiffies_t cascade = distance_to_cascade(slots, base);
        return near < cascade ? near : cascade;
    }

    /// The ticks from the base to the first mark of tv1. Every tick of the current block is done, so its half of tv1
    /// holds the ticks of the block after the next one.
    static jiffies_t distance_in_tv1(const marks &slots, jiffies_t base)
    {
        for (unsigned passed = 0; passed != Geometry::tvr_size; passed += 32) {
            const uint32_t bits = slots.words[Geometry::tv1_slot(base + passed) / 32];
            if (bits != 0) {
                return passed + count_leading_zeros(bits);
            }
        }
        return none;
    }

    /// The ticks from the base to the nearest start of a marked slot of tv2 or above. bring_down() has cleared the
    /// marks of the slots that start at the base.
    static jiffies_t distance_to_cascade(const marks &slots, jiffies_t base)
    {
        const auto tv2 = Geometry::tv2();
        const unsigned first = tv2.slot(base);
        const unsigned blocks = slots.marked_after(tv2, first);
        jiffies_t nearest = blocks == 0 ? none : blocks * Geometry::block_size;
        // No level above cascades before the ones below have reached their end.
        bool wraps = blocks == 0 || first + blocks >= tv2.end();
        for (level lv = tv2.above(); lv.exists() && wraps; lv = lv.above()) {
            const unsigned own = lv.slot(base);
            const unsigned steps = slots.marked_after(lv, own);
            const jiffies_t here = steps == 0 ? none : distance_to_slot(lv, base, steps);
            nearest = here < nearest ? here : nearest;
            wraps = steps == 0 || own + steps >= lv.end();
        }
        return nearest;
    }

    /// The ticks from the base to the start of the slot that is `steps` slots after its own.
    template <class Level>
    static jiffies_t distance_to_slot(Level lv, jiffies_t base, unsigned steps)
    {
        return (((base >> lv.shift) + steps) << lv.shift) - base;
    }
};

} // namespace tickwheel

#endif
