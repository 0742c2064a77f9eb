// SPDX-License-Identifier: MIT
// Walks every slot of a wheel and checks I1 and I2 of core/DESIGN.md, of the lists and the marks. proved.hpp checks
// the others. It does not know what the timers should do; the reference model knows only that.
#pragma once

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

/// A fault, as a number, since a board prints no more.
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
    /// While no run is under way: a mark of an empty slot, and of a list I3 and the order of the ticks.
    mark_over_no_timer,
    next_run_outside_the_block,
    timer_earlier_than_next,
    wrong_order,
};
constexpr unsigned max_timers = 100000;

struct walk {
    fault found;
    unsigned timers;
};

/// Looks at the timers of a slot, and counts them.
template <class Geometry>
fault fault_of_slot(const tickwheel::wheel_slots<Geometry> &slots, unsigned slot, bool at_rest, unsigned &timers)
{
    const timer_list *const first = slots.first[slot];
    if (first == nullptr) {
        return at_rest && slots.marks.is_marked(slot) ? mark_over_no_timer : no_fault;
    }
    if (!slots.marks.is_marked(slot)) {
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
    }
    return first->prev == older ? no_fault : first_prev_is_not_last;
}

using list_slots = tickwheel::wheel_slots<tickwheel::ordered_list>;

/// @{ Walks a wheel, or a list. At rest means that no run is under way.
template <class Geometry>
walk walk_of(const tickwheel::wheel_clock & /*clock*/, const tickwheel::wheel_slots<Geometry> &slots, bool at_rest)
{
    walk seen = {no_fault, 0};
    for (unsigned slot = 0; slot < Geometry::slot_count && seen.found == no_fault; ++slot) {
        seen.found = fault_of_slot(slots, slot, at_rest, seen.timers);
    }
    return seen;
}
inline walk walk_of(const tickwheel::list_clock &clock, const list_slots &list, bool at_rest)
{
    walk seen = {no_fault, 0};
    if (at_rest && clock.quarter_end() - clock.next_run > 1u << tickwheel::ordered_list::quarter_bits) {
        return {next_run_outside_the_block, 0};
    }
    const jiffies_t from = clock.next_run - 1;
    jiffies_t distance = at_rest;
    const timer_list *before = &list.ends;
    for (const timer_list *timer = before->next; timer != &list.ends; before = timer, timer = timer->next) {
        if (++seen.timers > max_timers) {
            return {endless_list, seen.timers};
        }
        if (timer->prev != before) {
            return {timer->prev == nullptr ? listed_but_not_pending : prev_is_not_the_older, seen.timers};
        }
        if (timer->slot != 0 && (timer->slot & ~3u) != list.late(0)) {
            return {slot_field_wrong, seen.timers};
        }
        const jiffies_t own = list.distance(timer, from);
        if (own < distance) {
            return {before == &list.ends ? timer_earlier_than_next : wrong_order, seen.timers};
        }
        distance = own;
    }
    seen.found = list.ends.prev == before ? no_fault : first_prev_is_not_last;
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
