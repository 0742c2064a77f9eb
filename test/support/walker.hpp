// SPDX-License-Identifier: MIT
// Walks every slot of a wheel and checks the invariants of core/DESIGN.md that a look from outside can see. It knows
// the structure of a wheel and not what its timers should do; the reference model knows only that.
#ifndef TICKWHEEL_TEST_SUPPORT_WALKER_HPP
#define TICKWHEEL_TEST_SUPPORT_WALKER_HPP

#include <stdint.h>

#include <tickwheel/default_wheel.hpp>

namespace support
{

/// @{ The geometry of the default wheel. The tests of a list take the ticks of Linux's.
template <class Geometry>
struct ticks_of {
    using geometry = Geometry;
};
template <>
struct ticks_of<tickwheel::ordered_list> {
    using geometry = tickwheel::linux_geometry;
};
using geometry = ticks_of<tickwheel::default_geometry>::geometry;
/// @}
/// The default wheel is a list, whose answers are exact.
constexpr bool is_a_list = TICKWHEEL_GEOMETRY == 1;
/// The wheel covers so few ticks, as 62 does, that it moves a far timer 2^17 times in 2^31 ticks. Tests make few
/// such waits there. geometries_host.cpp makes them in every geometry.
constexpr bool has_short_range = geometry::range_bits < 20;

/// A fault, as a number, since a board prints no more. Those marked "at rest" do not count while a run is under way.
enum fault : int {
    no_fault,
    /// I1
    first_prev_is_not_last,
    prev_is_not_the_older,
    slot_field_wrong,
    listed_but_not_pending,
    endless_list,
    /// I2
    mark_clear_over_a_timer,
    /// I3, at rest
    next_run_outside_the_block,
    timer_earlier_than_next,
    /// I4, at rest
    block_not_aligned,
    tv1_limit_wrong,
    wrong_slot_for_expiry,
    /// I9
    jiffies_halves_wrong,
};

struct walk {
    fault found;
    unsigned timers;
};

/// The level, 1 to 5, of a slot, or 6 for the two of the small geometry of the overflow level.
template <class Geometry = geometry>
unsigned level_of_slot(unsigned slot)
{
    if (slot < Geometry::tvr_size) {
        return 1;
    }
    // tv2 has a slot for each block. Levels of 32 slots or more are numbered downwards, but for the two slots of
    // level 6.
    constexpr unsigned size = Geometry::tvn_size;
    const unsigned row = (slot - Geometry::tvr_size) / size;
    if (size >= 32 && row < 5) {
        return row < 3 ? 5 - row : 2;
    }
    return row < 2 ? 2 : 1 + row;
}

template <class Geometry>
class walker {
    static constexpr unsigned block_ticks = Geometry::block_size;
    static constexpr unsigned tv1_slots = Geometry::tvr_size;
    static constexpr unsigned max_timers = 100000;

    const tickwheel::wheel_clock &clock;
    const tickwheel::wheel_slots<Geometry> &slots;
    const bool at_rest;

public:
    /// At rest means that no run is under way, and that none has stopped inside a cascade.
    walker(const tickwheel::wheel_clock &time, const tickwheel::wheel_slots<Geometry> &lists, bool rests)
        : clock(time), slots(lists), at_rest(rests)
    {
    }

    walk look() const
    {
        walk seen = {clock_fault(), 0};
        for (unsigned slot = 0; slot < Geometry::slot_count && seen.found == no_fault; ++slot) {
            seen.found = slot_fault(slot, seen.timers);
        }
        return seen;
    }

private:
    fault clock_fault() const
    {
        const jiffies_t block = clock.next_block - block_ticks;
        if ((clock.jiffies_halves & 1) != block >> 31) {
            return jiffies_halves_wrong;
        }
        if (at_rest && block % block_ticks != 0) {
            return block_not_aligned;
        }
        if (at_rest && clock.tv1_limit - clock.next_block - block_ticks >= block_ticks) {
            return tv1_limit_wrong;
        }
        return at_rest && clock.next_run - block >= block_ticks ? next_run_outside_the_block : no_fault;
    }

    fault slot_fault(unsigned slot, unsigned &timers) const
    {
        const timer_list *const first = slots.first[slot];
        if (first == nullptr) {
            return no_fault;
        }
        if ((slots.marks.words[slot / 32] << slot % 32 >> 31) == 0) {
            return mark_clear_over_a_timer;
        }
        const timer_list *older = nullptr;
        for (const timer_list *timer = first; timer != nullptr; older = timer, timer = timer->next) {
            if (++timers > max_timers) {
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
            if (at_rest && !belongs(timer->expires, slot) && !overdue(slot)) {
                return wrong_slot_for_expiry;
            }
        }
        if (at_rest && slot < tv1_slots && tickwheel_time_before(tick_of_tv1(slot), clock.next_run)) {
            return timer_earlier_than_next;
        }
        return first->prev == older ? no_fault : first_prev_is_not_last;
    }

    // A slot of tv1 has one tick of the turn that ends at `tv1_limit`.
    jiffies_t tick_of_tv1(unsigned slot) const
    {
        const jiffies_t tv1_start = clock.tv1_limit - tv1_slots;
        return tv1_start + ((slot - tv1_start) & (tv1_slots - 1));
    }

    /// Whether the slot's tick is one that overdue timers are given.
    bool overdue(unsigned slot) const
    {
        return slot < tv1_slots && tickwheel_time_before_eq(tick_of_tv1(slot), clock.jiffies + 1);
    }

    /// Whether a timer that is not overdue may be in this slot: its expiry belongs there, and the block has not
    /// passed the slot.
    bool belongs(jiffies_t expires, unsigned slot) const
    {
        const unsigned level = level_of_slot<Geometry>(slot);
        if (level == 1) {
            return expires == tick_of_tv1(slot);
        }
        if (level == 2) {
            return waits_in(Geometry::tv2(), expires, slot);
        }
        typename Geometry::level above = Geometry::tv2().above();
        for (unsigned number = 3; number != level; ++number) {
            above = above.above();
        }
        if (level == 6) {
            // The overflow level: the slot of the next range, whatever the expiry. The other one while it cascades.
            return slot - above.first_slot == ((clock.next_block >> above.shift) + 1) % 2 ||
                   slots.cascade_unfinished != 0;
        }
        return waits_in(above, expires, slot);
    }

    template <class Level>
    bool waits_in(Level level, jiffies_t expires, unsigned slot) const
    {
        // In 64 bits, because a timer may be 2^32 - 3 ticks after the next block: in tv5 that is a whole turn.
        const uint64_t distance = expires - clock.next_block;
        const uint64_t steps = ((clock.next_block & ((1u << level.shift) - 1)) + distance) >> level.shift;
        // No step is a slot that cascades. The next block is always the start of a slot of tv2, so that no timer
        // there waits for a whole turn.
        const unsigned limit = level.shift == Geometry::tv2().shift ? level.size() - 1 : level.size();
        return slot == level.slot(expires) && steps <= limit && (steps != 0 || slots.cascade_unfinished != 0);
    }
};

using list_slots = tickwheel::wheel_slots<tickwheel::ordered_list>;

/// @{ Walks a wheel, or a list.
template <class Geometry>
walk walk_of(const tickwheel::wheel_clock &clock, const tickwheel::wheel_slots<Geometry> &slots, bool at_rest)
{
    return walker<Geometry>(clock, slots, at_rest).look();
}
inline walk walk_of(const tickwheel::list_clock &clock, const list_slots &list, bool at_rest)
{
    walk seen = {no_fault, 0};
    if (at_rest && clock.quarter_end() - clock.next_run > 1u << tickwheel::ordered_list::block_bits) {
        return {next_run_outside_the_block, 0};
    }
    const jiffies_t from = clock.next_run - 1;
    jiffies_t distance = at_rest;
    const timer_list *older = &list.ends;
    for (const timer_list *timer = older->next; timer != &list.ends; older = timer, timer = timer->next) {
        if (++seen.timers > 100000) {
            return {endless_list, seen.timers};
        }
        if (timer->prev != older) {
            return {timer->prev == nullptr ? listed_but_not_pending : prev_is_not_the_older, seen.timers};
        }
        if (timer->slot != 0 && (timer->slot & ~3u) != list.late(0)) {
            return {slot_field_wrong, seen.timers};
        }
        const jiffies_t own = list.distance(timer, from);
        if (own < distance) {
            return {older == &list.ends ? timer_earlier_than_next : wrong_slot_for_expiry, seen.timers};
        }
        distance = own;
    }
    seen.found = list.ends.prev == older ? no_fault : first_prev_is_not_last;
    return seen;
}
/// @}

/// @{ Whether a run has left timers of the next block above tv1. A list has no levels.
template <class Geometry>
bool is_cascading(const tickwheel::wheel_slots<Geometry> &slots)
{
    return slots.cascade_unfinished != 0;
}
inline bool is_cascading(const list_slots & /*list*/)
{
    return false;
}
/// @}

/// @{ Whether the slot of tv1 of a tick is empty.
template <class Geometry>
bool is_empty_tick(const tickwheel::wheel_slots<Geometry> &slots, jiffies_t tick)
{
    return slots.first[Geometry::tv1_slot(tick)] == nullptr;
}
inline bool is_empty_tick(const list_slots & /*list*/, jiffies_t /*tick*/)
{
    return false;
}
/// @}

/// @{ The first tick of the next block. In a list the blocks are those of its `geometry`.
inline jiffies_t next_block_of(const tickwheel::wheel_clock &clock)
{
    return clock.next_block;
}
inline jiffies_t next_block_of(const tickwheel::list_clock &clock)
{
    return ((clock.jiffies + 1) | geometry::block_mask) + 1;
}
/// @}

/// @{ Whether a slot without timers has a mark.
template <class Geometry>
bool has_stale_mark(const tickwheel::wheel_slots<Geometry> &slots)
{
    for (unsigned slot = 0; slot < Geometry::slot_count; ++slot) {
        if (slots.first[slot] == nullptr && slots.marks.is_marked(slot)) {
            return true;
        }
    }
    return false;
}
inline bool has_stale_mark(const list_slots & /*list*/)
{
    return false;
}
/// @}

/// @{ Moves an empty queue by so many turns of `jiffies`.
inline void pass_turns(tickwheel::wheel_clock &clock, uint32_t turns)
{
    clock.jiffies_halves = clock.jiffies_halves + 2 * turns;
}
inline void pass_turns(tickwheel::list_clock &clock, uint32_t turns)
{
    clock.jiffies_quarters = clock.jiffies_quarters + 4 * turns;
}
/// @}

/// @{ A pending timer, or null.
template <class Geometry>
timer_list *any_timer(const tickwheel::wheel_slots<Geometry> &slots)
{
    for (timer_list *oldest : slots.first) {
        if (oldest != nullptr) {
            return oldest;
        }
    }
    return nullptr;
}
inline timer_list *any_timer(const list_slots &list)
{
    return list.ends.next == &list.ends ? nullptr : list.ends.next;
}
/// @}

/// Walks the default wheel.
inline walk walk_wheel(bool at_rest)
{
    return walk_of(tickwheel_clock, tickwheel_slots, at_rest);
}

/// The first fault of the default wheel while no run is under way.
inline fault wheel_fault()
{
    return walk_wheel(true).found;
}

} // namespace support

#endif
