// SPDX-License-Identifier: MIT
// Walks every slot of the default wheel and looks for what must never be. It
// knows the structure and nothing of what any timer should do; the tests' oracle
// knows only that.
#ifndef TICKWHEEL_TEST_CHECK_WHEEL_HPP
#define TICKWHEEL_TEST_CHECK_WHEEL_HPP

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/wheel.hpp>

namespace unit
{

using geometry = tickwheel::geometry<TICKWHEEL_TVR_BITS, TICKWHEEL_TVN_BITS>;

/// What may be wrong. A number, since a board prints no more.
enum fault : int {
    no_fault,
    first_prev_is_not_last,
    prev_is_not_the_older,
    slot_field_wrong,
    listed_but_not_pending,
    bit_clear_over_a_timer,
    endless_list,
    next_beyond_the_block,
    block_not_aligned,
    wrong_slot_for_expiry,
    timer_earlier_than_next,
};

struct walk {
    fault found;
    unsigned timers;
};

/// The level, 1 to 5, of a slot, or 6 for the two of the small geometry that lie beyond tv5.
inline unsigned level_of_slot(unsigned slot)
{
    return slot < geometry::tvr_size ? 1 : 2 + (slot - geometry::tvr_size) / geometry::tvn_size;
}

/// Whether a timer that is not overdue may hang in this slot: where its expiry belongs, and not passed by the block.
inline bool belongs(jiffies_t expires, unsigned slot)
{
    const jiffies_t block = tickwheel_clock.block;
    const unsigned level = level_of_slot(slot);
    if (level == 1) {
        return expires == block + slot;
    }
    const unsigned shift = TICKWHEEL_TVR_BITS + (level - 2) * TICKWHEEL_TVN_BITS;
    const unsigned index = slot - geometry::tvr_size - (level - 2) * geometry::tvn_size;
    if (level == 6) {
        // Beyond tv5: the slot of the next range, whatever the expiry.
        return index == ((block >> shift) + 1) % 2;
    }
    const auto here = [&](jiffies_t tick) {
        const jiffies_t width = jiffies_t{1} << shift;
        const jiffies_t steps = ((tick & ~(width - 1)) - (block & ~(width - 1))) >> shift;
        // A difference of 0 can only be a whole turn of a tv5 that reaches 2^32.
        const bool whole_turn = steps == 0 && shift + TICKWHEEL_TVN_BITS == 32;
        return index == (tick >> shift) % geometry::tvn_size && steps <= geometry::tvn_size &&
               (steps != 0 || whole_turn);
    };
    // What was more than 2^32 ticks from a lagging block, by less than a block, waits in the last tick within reach.
    return here(expires) || (level == 5 && here(expires - geometry::tvr_size));
}

/// Whether the slot's tick is one that overdue timers are given: those may name any tick, also one that has come to
/// look like the future since.
inline bool may_be_overdue(unsigned slot)
{
    const jiffies_t block = tickwheel_clock.block;
    const jiffies_t next_block = block + geometry::tvr_size;
    const unsigned level = level_of_slot(slot);
    if (level == 1) {
        return tickwheel_time_before_eq(block + slot, tickwheel_clock.jiffies + 1);
    }
    return level == 2 && slot == geometry::tvr_size + (next_block >> TICKWHEEL_TVR_BITS) % geometry::tvn_size &&
           tickwheel_time_before_eq(next_block, tickwheel_clock.jiffies + 1);
}

/// What is wrong with one slot: its links, and when nobody runs the wheel also what it holds.
inline fault slot_fault(unsigned slot, bool at_rest, unsigned &timers)
{
    const timer_list *const first = tickwheel_slots.first[slot];
    if (first == nullptr) {
        return no_fault;
    }
    if ((tickwheel_slots.marks.words[slot / 32] << slot % 32 >> 31) == 0) {
        return bit_clear_over_a_timer;
    }
    const timer_list *older = nullptr;
    for (const timer_list *timer = first; timer != nullptr; older = timer, timer = timer->next) {
        if (++timers > 100000) {
            return endless_list;
        }
        if (timer->prev == nullptr) {
            return listed_but_not_pending;
        }
        if (older != nullptr && timer->prev != older) {
            return prev_is_not_the_older;
        }
        if (timer->slot != slot) {
            return slot_field_wrong;
        }
        const bool overdue =
            tickwheel_time_before_eq(timer->expires, tickwheel_clock.jiffies) || may_be_overdue(slot);
        if (at_rest && !overdue && !belongs(timer->expires, slot)) {
            return wrong_slot_for_expiry;
        }
        if (at_rest && slot < geometry::tvr_size &&
            tickwheel_time_before(tickwheel_clock.block + slot, tickwheel_clock.next_event)) {
            return timer_earlier_than_next;
        }
    }
    return first->prev == older ? no_fault : first_prev_is_not_last;
}

inline walk walk_wheel(bool at_rest)
{
    walk seen = {no_fault, 0};
    for (unsigned slot = 0; slot < geometry::slot_count && seen.found == no_fault; ++slot) {
        seen.found = slot_fault(slot, at_rest, seen.timers);
    }
    if (at_rest && seen.found == no_fault) {
        if (tickwheel_clock.block % geometry::tvr_size != 0) {
            seen.found = block_not_aligned;
        } else if (tickwheel_clock.next_event - tickwheel_clock.block >= geometry::tvr_size) {
            seen.found = next_beyond_the_block;
        }
    }
    return seen;
}

/// The first thing wrong with the default wheel while nobody runs it.
inline fault wheel_fault()
{
    return walk_wheel(true).found;
}

/// The number of the slot that a pending timer hangs in, as it is found by looking for it; slot_count when in none.
inline unsigned slot_holding(const timer_list *wanted)
{
    for (unsigned slot = 0; slot < geometry::slot_count; ++slot) {
        for (const timer_list *timer = tickwheel_slots.first[slot]; timer != nullptr; timer = timer->next) {
            if (timer == wanted) {
                return slot;
            }
        }
    }
    return geometry::slot_count;
}

} // namespace unit

#endif
