// SPDX-License-Identifier: MIT
// The calls that are interrupted, the wheels that they find, and what an interrupt may do. The interleavings check
// each of them against the contract, with an interrupt at every point. The sweep has an interrupt after every
// instruction, and it must do what one at some point does.
#pragma once

#include "calls.hpp"

namespace races
{

/// The calls that an interrupt makes on A or on B.
constexpr operation on_a_timer[] = {
    mod(A, to::same),
    mod(A, to::overdue),
    mod(A, to::next_tick),
    mod(A, to::next_block),
    mod(A, to::others),
    mod(A, to::tv3),
    {op::mod_pending, A, to::next_tick},
    {op::reduce, A, to::next_tick},
    on(A, op::timer_delete),
    on(A, op::try_to_del),
    on(A, op::shutdown),
};
/// Its calls on the wheel. Those that count ticks come last, because none of them may interrupt another.
constexpr operation on_the_wheel[] = {expiry, run(), advance(1), advance_and_run(1), advance_and_run(tv1_ticks + 40)};

/// A timer's state at the start: its expiry relative to `now`, and how long before `now` it was armed.
struct armed {
    int32_t expires;
    uint32_t before = 0;
    bool is_deferrable = false;
};
constexpr int32_t never = INT32_MIN;

struct scenario {
    const char *name;
    operation main;
    /// jiffies and the lag at the start.
    jiffies_t now;
    uint32_t lag;
    armed timer[timer_count];
    /// The callbacks of A and B do this, in the first two calls.
    operation callback[2] = {};
    /// The call that follows.
    operation then = {};

    /// An idle timer has one that add_timer() may take.
    jiffies_t expires_of(unsigned i) const
    {
        return now + static_cast<jiffies_t>(timer[i].expires == never ? 5 : timer[i].expires);
    }
    /// The wheel of 62 opens the lock for every 2^14 ticks, too often for all interleavings.
    bool is_too_far() const
    {
        int32_t farthest = static_cast<int32_t>(lag);
        for (const armed &each : timer) {
            farthest = each.expires > farthest ? each.expires : farthest;
        }
        return support::has_short_range && farthest >= 1 << 20;
    }
};

/// Initialises the wheel and the timers. Returns how many ticks lie between this and the scenario's start.
inline uint32_t start(const scenario &plan, void (*callback)(timer_list *))
{
    uint32_t before = plan.lag;
    for (const armed &each : plan.timer) {
        before = each.before > before ? each.before : before;
    }
    tickwheel_init(plan.now - before);
    for (unsigned i = 0; i < timer_count; ++i) {
        tickwheel_timer_setup(&timers[i], callback, plan.timer[i].is_deferrable * TICKWHEEL_TIMER_DEFERRABLE);
        timers[i].expires = plan.expires_of(i);
    }
    return before;
}

/// Does all from there to the scenario's start. `arm` arms a timer for its expiry. `pass` counts ticks, and may run
/// the wheel.
template <class Arm, class Pass>
void arm_and_pass(const scenario &plan, uint32_t before, Arm arm, Pass pass)
{
    for (;;) {
        uint32_t later = plan.lag < before ? plan.lag : 0;
        for (unsigned i = 0; i < timer_count; ++i) {
            const armed &each = plan.timer[i];
            if (each.before == before && each.expires != never) {
                arm(static_cast<timer_name>(i));
            }
            later = each.before < before && each.before > later ? each.before : later;
        }
        if (before == 0) {
            return;
        }
        pass(before - later, before > plan.lag);
        before = later;
    }
}

constexpr jiffies_t block_start = 0x104000;
constexpr jiffies_t middle = block_start + 0x10;
constexpr jiffies_t end_of_block = block_start + block_ticks - 1;
constexpr jiffies_t end_of_turn = block_start + turn_ticks - block_ticks - 1;
constexpr jiffies_t before_end_of_turn = end_of_turn - 10 * tv1_ticks;
constexpr int32_t two_blocks = tv1_ticks;
/// Timers cascade so many ticks before their block.
constexpr int32_t block = block_ticks;
constexpr int32_t turn = turn_ticks;
constexpr uint32_t long_lag = 3 * tv1_ticks;
constexpr uint32_t before_lag = long_lag + 1;
constexpr uint32_t half_turn = turn_ticks / 2;

// Due, in the next tick, and in two slots of tv2.
constexpr armed due = {0, 2};
constexpr armed next = {1, 2};
constexpr armed even_slot = {block + 6, 3};
constexpr armed odd_slot = {two_blocks + 6, 3};
constexpr armed from_tv3 = {block + 6, turn_ticks};
constexpr armed from_tv2 = {block + 6, 20};
constexpr armed none = {never};
constexpr armed deferrable(int32_t expires)
{
    return {expires, 0, true};
}

constexpr operation arm_a = mod(A, to::this_tick);
constexpr operation arm_b = mod(B, to::this_tick);

// requirement: TW-25, TW-26, TW-27, TW-29
const scenario scenarios[] = {
    {"2^31 next", {op::get_jiffies_64}, 0x7fffffff, 1, {{5}, {5}, {9}}},
    {"a block before 2^31", {op::get_jiffies_64}, 0x7ffffffe, 1, {{5}, {5}, {9}}},
    {"2^32 next", {op::get_jiffies_64}, 0xffffffff, 1, {{5}, {5}, {9}}},
    {"a block before 2^32", {op::get_jiffies_64}, 0xfffffffe, 1, {{5}, {5}, {9}}},

    // Due timers.
    {"two in one slot", run(), middle, 1, {due, due, next}},
    {"one due, one in the next tick", run(), middle, 1, {due, next, next}},
    {"a lag of three ticks", run(), middle, 3, {{-2, 5}, {0, 5}, {0, 1}}},
    {"a lag of three ticks, one overdue", run(), middle, 3, {{-2, 5}, {-7, 1}, {0, 5}}},
    {"the next is far in the block", run(), middle, 1, {due, {40, 2}, none}},
    {"the next is in tv2", run(), middle, 1, {due, {2 * two_blocks, 2}, none}},
    // A block's end.
    {"cascade to one slot", run(), end_of_block, 1, {even_slot, even_slot, even_slot}},
    {"cascade to two slots", run(), end_of_block, 1, {{block + 1, 3}, even_slot, even_slot}},
    {"cascade of an even slot of tv2", run(), end_of_block, 1, {odd_slot, even_slot, odd_slot}},
    {"cascade of an odd slot of tv2", run(), end_of_block + block, 1, {even_slot, even_slot, even_slot}},
    {"a turn after the last tick", run(), end_of_block, 1, {{0, 3}, {two_blocks, 1}, {two_blocks + 1, 3}}},
    {"a block's end, one due", run(), end_of_block, 1, {{0, 3}, {1, 3}, {1, 1}}},
    {"a block's end, nothing to cascade", run(), end_of_block, 1, {{3 * two_blocks, 3}, none, none}},
    {"a block's end, lagging", run(), end_of_block + 3, 4, {{-2, 6}, {-1, 6}, {0, 1}}},
    {"cascade of tv3 and tv2", run(), end_of_turn, 1, {from_tv3, from_tv2, {block + 6, 2}}},
    {"cascade over 2^31", run(), 0x7fffffff - block, 1, {even_slot, even_slot, {block + 1, 3}}},
    {"cascade over 2^32", run(), 0xffffffff - block, 1, {even_slot, even_slot, {block + 1, 3}}},
    // Empty blocks.
    {"jump, one due", run(), middle, long_lag, {{-2 * two_blocks, before_lag}, {5}, none}},
    {"jump over a cascade", run(), middle, long_lag, {{-two_blocks, before_lag}, {-two_blocks, before_lag}, none}},
    {"jump, nothing due", run(), middle, long_lag, {{3 * two_blocks, before_lag}, {5}, none}},
    {"jump over a turn", run(), end_of_turn + 5, half_turn, {{-3, turn_ticks}, {-3, half_turn + 20}, {6, 1}}},
    {"a lag of more than 2^22", run(), 0x400030, 0x400010, {{-5, 0x400011}, none, none}},
    {"cascade of all levels", run(), 0x3ffff7f, 1, {{148, 0x3ffff70}, {20128, 0x3ffff70}, {2000128, 0x3ffff70}}},
    // The geometry 86 has other branches of the search here.
    {"jump, the next is in another word of tv2", run(), 0x1010, 3000, {{5000, 3000}, {15000, 3000}, none}},
    {"jump, the next is a turn of tv2 away", run(), 0x2acc, 700, {{15000, 700}, {20000, 700}, {100000000, 700}}},
    {"jump, the next is in the other half of tv3", run(), 0x3010, 3000, {{600000, 3000}, {950000, 3000}, none}},
    {"jump, the next is a turn of tv3 away", run(), 0xa1010, 3000, {{950000, 3000}, none, none}},
    {"jump, the next is in tv1", run(), 0x2010, 3000, {{-2798, 3000}, {-2500, 3000}, {5, 3000}}},
    // Callbacks.
    {"A re-arms itself for now, lagging", run(), middle, 3, {{-2, 5}, {-2, 5}, {-1, 5}}, {arm_a}},
    {"A re-arms itself for the next block", run(), middle, 1, {due, due, next}, {mod(A, to::next_block)}},
    {"A re-arms itself for now at a block's end", run(), end_of_block, 1, {due, next, next}, {arm_a}},
    {"A deletes B", run(), middle, 1, {due, due, next}, {on(B, op::timer_delete)}},
    {"each arms the other for now", run(), middle, 2, {{-1, 3}, {0, 3}, {0, 3}}, {arm_b, arm_a}},
    {"each deletes itself", run(), middle, 1, {due, due, next}, {on(A, op::delete_sync), on(B, op::shutdown_sync)}},
    {"A runs the wheel, B asks", run(), middle, 1, {due, due, next}, {run(), expiry}},
    // A budget.
    {"two in one slot", run(1), middle, 1, {due, due, next}},
    {"a lag of three ticks", run(1), middle, 3, {{-2, 5}, {0, 5}, {0, 1}}},
    {"A re-arms itself for now", run(1), middle, 2, {{-1, 5}, {-1, 5}, {0, 1}}, {arm_a}},
    {"a block's end", run(0), end_of_block, 1, {{1, 3}, even_slot, even_slot}},
    // An empty tick takes one step, the block seven.
    {"stopped in a cascade", run(10), end_of_block, 1, {even_slot, even_slot, even_slot}, {}, expiry},
    {"stopped before a cascade", run(8), end_of_block, 1, {even_slot, {block + 7, 3}, even_slot}},
    {"stopped before a cascade of tv3", run(9), end_of_turn, 1, {from_tv3, from_tv2, {block + 6, 2}}, {}, expiry},
    {"from idle, behind B", mod(A, to::soon), middle, 0, {none, {5}, {5}}},
    {"from idle, lagging", mod(A, to::overdue), middle, 1, {none, {0, 1}, {1, 1}}},
    {"from the end of a list", mod(A, to::soon), middle, 0, {{9}, {9}, {5}}},
    {"out of tv2", mod(A, to::next_tick), middle, 0, {{two_blocks}, {two_blocks}, {5}}},
    {"no lag", mod(A, to::overdue), middle, 0, {{9}, {1}, {1}}},
    {"at a block's end", mod(A, to::next_block), end_of_block, 1, {{0, 1}, {1, 1}, {1, 1}}},
    {"at a block's end", mod(A, to::overdue), end_of_block, 1, {{7, 1}, {0, 1}, {1, 1}}},
    {"from one of two", mod(A, to::tv3), middle, 0, {{5}, {5}, {turn}}},
    {"over 2^32", mod(A, to::tv3), 0xfffffff0, 0, {{5}, {5}, {turn}}},
    {"out of tv1 to tv2", mod(A, to::others), middle, 0, {{5}, {two_blocks}, {two_blocks}}},
    {"before two", mod(A, to::same), middle, 0, {{5}, {5}, {5}}},
    {"due", mod(A, to::soon), middle, 1, {{0, 1}, {0, 1}, {5, 1}}},
    {"to tv3", mod(A, to::tv3), middle, 0, {none, {turn + 3}, {5}}},
    {"to tv4", mod(A, to::tv4), middle, 0, {none, {turn}, {5}}},
    {"to tv5", mod(A, to::tv5), middle, 0, {none, {turn}, {5}}},
    {"an idle one", {op::mod_idle, A, to::tv3}, middle, 0, {none, {5}, {5}}},
    {"a pending one", {op::mod_idle, A, to::soon}, middle, 0, {{9}, {5}, {5}}},
    {"behind B", on(A, op::add), middle, 0, {none, {5}, {5}}},
    {"a pending one", on(A, op::add), middle, 1, {{0, 1}, {0, 1}, {5}}},
    {"a pending one", {op::mod_pending, A, to::soon}, middle, 0, {{9}, {9}, {5}}},
    {"a due one", {op::mod_pending, A, to::soon}, middle, 1, {{0, 1}, {0, 1}, {5}}},
    {"to tv4, lagging", {op::mod_pending, A, to::tv4}, middle, 1, {{0, 1}, {9}, {5}}},
    {"an idle one", {op::mod_pending, A, to::soon}, middle, 0, {none, {9}, {5}}},
    {"from later", {op::reduce, A, to::soon}, middle, 0, {{9}, {9}, {5}}},
    {"from earlier", {op::reduce, A, to::tv3}, middle, 0, {{9}, {9}, {5}}},
    {"lagging", {op::reduce, A, to::overdue}, middle, 1, {{0, 1}, {0, 1}, {5}}},
    {"an idle one", {op::reduce, A, to::soon}, middle, 0, {none, {5}, {5}}},
    {"due", on(A, op::pending), middle, 1, {{0, 1}, {0, 1}, {5}}},
    {"the middle of three", on(B, op::timer_delete), middle, 0, {{5}, {5}, {5}}},
    {"one of three", on(A, op::timer_delete), middle, 0, {{5}, {5}, {5}}},
    {"a due one", on(A, op::timer_delete), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"the only one of its slot", on(A, op::timer_delete), middle, 0, {{9}, {two_blocks}, {5}}},
    {"an idle one", on(A, op::timer_delete), middle, 0, {none, {5}, {5}}},
    {"a due one", on(A, op::try_to_del), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"a due one", on(A, op::delete_sync), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"one of two", on(A, op::shutdown), middle, 0, {{5}, {5}, {two_blocks}}},
    {"a due one", on(A, op::shutdown), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"then mod_timer", on(A, op::shutdown), middle, 0, {{5}, {5}, {9}}, {}, mod(A, to::soon)},
    {"a due one, then add_timer", on(A, op::shutdown_sync), middle, 1, {due, due, due}, {}, on(A, op::add)},
    {"in tv1", expiry, middle, 0, {{5}, {9}, {5}}},
    {"in tv2", expiry, middle, 0, {{two_blocks + 9}, {two_blocks + 5}, {3 * two_blocks}}},
    {"tv2 before tv1", expiry, end_of_block - 6, 0, {{20, block_ticks / 2}, {two_blocks + 20}, {two_blocks + 20}}},
    {"tv3 before tv2", expiry, before_end_of_turn, 0, {{11 * two_blocks, turn_ticks}, {12 * two_blocks}, none}},
    {"behind a deferrable", expiry, middle, 0, {deferrable(5), {9}, {two_blocks}}},
    {"overdue, lagging", expiry, middle, 2, {{-1, 5}, {-9, 1}, {0, 5}}},
    {"in an even and an odd slot", expiry, 0x1090, 0, {{703}, {700}, {828}}},
    {"in tv5", expiry, 0x1010, 0, {{100000000}, {100000000}, none}},
    {"in the other half of tv3", expiry, 0x3010, 0, {{600000}, {600000}, {950000}}},
    {"around tv3", expiry, 0xf1010, 0, {{100000}, {100000}, {600000}}},
    {"a turn of tv2 away", expiry, 0x2810, 0, {{15000}, {15000}, {20000}}},
    {"a turn of tv3 away", expiry, 0xa1010, 0, {{950000}, {950000}, {2000000}}},
    {"slots of tv3 behind its own", expiry, 0x3010, 0, {{0x1010, 0x3010}, {20000, 0x3010}, {5000}}},
    {"behind a deferrable in tv2", expiry, 0x1010, 0, {deferrable(700), {10000}, {20000}}},
    {"behind a deferrable, around tv2", expiry, 0x3c10, 0, {deferrable(700), {1500}, {5000}}},
    {"behind a deferrable, a turn of tv2 away", expiry, 0x2810, 0, {deferrable(2600), {15000}, {20000}}},
    {"behind the only one of tv2, a deferrable", expiry, 0x1010, 0, {deferrable(700), {20000}, none}},
    {"behind a deferrable, a turn of its word away", expiry, 0x2810, 0, {deferrable(700), {15000}, {20000}}},
    {"behind a deferrable, both in one half of a word", expiry, 0x1810, 0, {deferrable(5000), {10000}, {20000}}},
    {"behind the only one of tv3, a deferrable", expiry, 0x1010, 0, {deferrable(20000), {2000000}, none}},
    {"behind a deferrable in tv3", expiry, 0x1010, 0, {deferrable(20000), {100000}, {600000}}},
    {"none", expiry, middle, 0, {none, none, none}},
    {"nothing due", advance(1), middle, 0, {{5}, {9}, none}},
    {"two due", advance(1), middle, 0, {{1}, {1}, {2}}},
    {"to a block's end", advance(1), end_of_block - 1, 0, {{5}, {2}, {1}}},
    {"to 2^32", advance(1), 0xffffffff, 1, {{1, 1}, {5, 1}, {1, 1}}},
    {"over many blocks", advance(5 * tv1_ticks), middle, 0, {{5}, {two_blocks}, {6 * two_blocks}}},
    {"two due", advance_and_run(1), middle, 0, {{1}, {1}, {2}}},
    {"to a block's end", advance_and_run(1), end_of_block - 1, 0, {{1}, {2}, {2}}},
    {"over many blocks", advance_and_run(2 * tv1_ticks), middle, 0, {{two_blocks}, {two_blocks}, none}},
};

} // namespace races
