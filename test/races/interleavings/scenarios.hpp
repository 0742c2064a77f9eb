// SPDX-License-Identifier: MIT
// The operations that are interrupted, the wheels that they find, and what an interrupt may do.
#ifndef TICKWHEEL_TEST_INTERLEAVINGS_SCENARIOS_HPP
#define TICKWHEEL_TEST_INTERLEAVINGS_SCENARIOS_HPP

#include <stdint.h>

#include <vector>

#include "../../support/walker.hpp"
#include "../calls.hpp"

namespace interleavings
{

using races::op;

/// Two that everything is done to, and one that only stands by.
enum timer_name : unsigned { A, B, bystander, timer_count };

/// The new expiry of a timer, counted from the moment at which the call begins.
enum class to : unsigned { same, overdue, this_tick, next_tick, soon, next_block, others, far };
constexpr const char *to_names[] = {"the same",      "overdue",        "this tick",          "the next tick",
                                    "five ticks on", "the next block", "the other's expiry", "far"};

struct operation {
    op what = op::nothing;
    timer_name timer = A;
    to expires = to::same;
    /// How many ticks, or callbacks.
    uint32_t amount = 1;
};

constexpr operation mod(timer_name timer, to expires)
{
    return {op::mod, timer, expires};
}
constexpr operation on(timer_name timer, op what)
{
    return {what, timer};
}
constexpr operation run(uint32_t budget = ~0u)
{
    return {op::run, A, to::same, budget};
}
constexpr operation advance(uint32_t ticks)
{
    return {op::advance, A, to::same, ticks};
}
constexpr operation advance_and_run(uint32_t ticks)
{
    return {op::advance_and_run, A, to::same, ticks};
}
constexpr operation expiry = {op::next_expiry};

constexpr jiffies_t block_ticks = support::geometry::block_size;
/// The ticks that tv1 covers: two blocks.
constexpr jiffies_t tv1_ticks = support::geometry::tvr_size;
/// The ticks that tv2 covers.
constexpr jiffies_t turn_ticks = tv1_ticks * support::geometry::tvn_size;

/// The calls that an interrupt may make.
struct menu {
    std::vector<operation> choices;
    /// The last so many of them count ticks. None of these may interrupt another.
    unsigned ticking;
};

inline menu full_menu()
{
    std::vector<operation> choices;
    for (const timer_name timer : {A, B}) {
        for (const to expires : {to::same, to::overdue, to::next_tick, to::next_block, to::others, to::far}) {
            choices.push_back(mod(timer, expires));
        }
        choices.push_back({op::mod_pending, timer, to::next_tick});
        choices.push_back({op::reduce, timer, to::next_tick});
        choices.push_back(on(timer, op::remove));
        choices.push_back(on(timer, op::try_to_remove));
        choices.push_back(on(timer, op::shutdown));
    }
    choices.push_back(expiry);
    choices.push_back(run());
    choices.push_back(advance(1));
    choices.push_back(advance_and_run(1));
    choices.push_back(advance_and_run(tv1_ticks + 40));
    return {choices, 3};
}

inline menu short_menu()
{
    return {{mod(A, to::next_tick), mod(B, to::next_block), on(A, op::remove), on(B, op::remove), expiry,
             advance_and_run(1)},
            1};
}

/// A timer before the begin: it was armed so many ticks before `now`, for a tick that is told from `now`.
struct armed {
    int32_t expires;
    uint32_t before = 0;
};
constexpr int32_t never = INT32_MIN;

struct scenario {
    const char *name;
    operation main;
    /// jiffies at the begin, and how many ticks have been counted and not run.
    jiffies_t now;
    uint32_t owed;
    armed timer[timer_count];
    /// The callbacks of A and B do this, in the first two calls.
    operation callback[2] = {};
    bool a_is_deferrable = false;
};

constexpr jiffies_t base = 0x104000;
constexpr jiffies_t middle = base + 0x10;
constexpr jiffies_t end_of_block = base + block_ticks - 1;
constexpr jiffies_t end_of_turn = base + turn_ticks - block_ticks - 1;
constexpr int32_t two_blocks = tv1_ticks;
/// Timers come down so many ticks before their block.
constexpr int32_t block = block_ticks;
constexpr int32_t turn = turn_ticks;
constexpr uint32_t late = 3 * tv1_ticks;
constexpr uint32_t late_armed = late + 1;

// Due, in the next tick, and in two slots of tv2.
constexpr armed due = {0, 2};
constexpr armed next = {1, 2};
constexpr armed even_slot = {block + 6, 3};
constexpr armed odd_slot = {two_blocks + 6, 3};
constexpr armed none = {never};

constexpr operation arm_a = mod(A, to::this_tick);
constexpr operation arm_b = mod(B, to::this_tick);

const scenario scenarios[] = {
    // Due timers.
    {"two in one slot", run(), middle, 1, {due, due, next}},
    {"one due, one in the next tick", run(), middle, 1, {due, next, next}},
    {"three ticks late", run(), middle, 3, {{-2, 5}, {0, 5}, {0, 1}}},
    {"three ticks late, overdue", run(), middle, 3, {{-2, 5}, {-7, 1}, {0, 5}}},
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
    {"a block's end, late", run(), end_of_block + 3, 4, {{-2, 6}, {-1, 6}, {0, 1}}},
    {"cascade of tv3 and tv2", run(), end_of_turn, 1, {{block + 6, turn_ticks}, {block + 6, 20}, {block + 6, 2}}},
    {"cascade over 2^31", run(), 0x7fffffff - block, 1, {even_slot, even_slot, {block + 1, 3}}},
    {"cascade over 2^32", run(), 0xffffffff - block, 1, {even_slot, even_slot, {block + 1, 3}}},
    // Empty blocks.
    {"jump, one due", run(), middle, late, {{-2 * two_blocks, late_armed}, {5}, none}},
    {"jump over a cascade", run(), middle, late, {{-two_blocks, late_armed}, {-two_blocks, late_armed}, none}},
    {"jump, nothing due", run(), middle, late, {{3 * two_blocks, late_armed}, {5}, none}},
    {"jump over a turn",
     run(),
     end_of_turn + 5,
     turn_ticks / 2,
     {{-3, turn_ticks}, {-3, turn_ticks / 2 + 20}, {6, 1}}},
    {"late by more than 2^22", run(), 0x400030, 0x400010, {{-5, 0x400011}, none, none}},
    // Callbacks.
    {"A re-arms itself for now, late", run(), middle, 3, {{-2, 5}, {-2, 5}, {-1, 5}}, {arm_a}},
    {"A re-arms itself for the next block", run(), middle, 1, {due, due, next}, {mod(A, to::next_block)}},
    {"A re-arms itself for now at a block's end", run(), end_of_block, 1, {due, next, next}, {arm_a}},
    {"A deletes B", run(), middle, 1, {due, due, next}, {on(B, op::remove)}},
    {"each arms the other for now", run(), middle, 2, {{-1, 3}, {0, 3}, {0, 3}}, {arm_b, arm_a}},
    {"A deletes itself, B shuts down",
     run(),
     middle,
     1,
     {due, due, next},
     {{op::delete_sync, A}, {op::shutdown_sync, B}}},
    {"A runs the wheel, B asks", run(), middle, 1, {due, due, next}, {run(), expiry}},
    // A budget.
    {"two in one slot", run(1), middle, 1, {due, due, next}},
    {"three ticks late", run(1), middle, 3, {{-2, 5}, {0, 5}, {0, 1}}},
    {"A re-arms itself for now", run(1), middle, 2, {{-1, 5}, {-1, 5}, {0, 1}}, {arm_a}},
    {"a block's end", run(0), end_of_block, 1, {{1, 3}, even_slot, even_slot}},
    // An empty tick takes one step, the block seven.
    {"a block's end, stopped in the cascade", run(10), end_of_block, 1, {even_slot, even_slot, even_slot}},
    {"a block's end, stopped before the cascade", run(8), end_of_block, 1, {even_slot, {block + 7, 3}, even_slot}},

    {"from idle, behind B", mod(A, to::soon), middle, 0, {none, {5}, {5}}},
    {"from idle, work owed", mod(A, to::overdue), middle, 1, {none, {0, 1}, {1, 1}}},
    {"from the end of a list", mod(A, to::soon), middle, 0, {{9}, {9}, {5}}},
    {"out of tv2", mod(A, to::next_tick), middle, 0, {{two_blocks}, {two_blocks}, {5}}},
    {"nothing owed", mod(A, to::overdue), middle, 0, {{9}, {1}, {1}}},
    {"at a block's end", mod(A, to::next_block), end_of_block, 1, {{0, 1}, {1, 1}, {1, 1}}},
    {"at a block's end", mod(A, to::overdue), end_of_block, 1, {{7, 1}, {0, 1}, {1, 1}}},
    {"from one of two", mod(A, to::far), middle, 0, {{5}, {5}, {turn}}},
    {"over 2^32", mod(A, to::far), 0xfffffff0, 0, {{5}, {5}, {turn}}},
    {"out of tv1 to tv2", mod(A, to::others), middle, 0, {{5}, {two_blocks}, {two_blocks}}},
    {"before two", mod(A, to::same), middle, 0, {{5}, {5}, {5}}},
    {"due", mod(A, to::soon), middle, 1, {{0, 1}, {0, 1}, {5, 1}}},

    {"behind B", {op::add, A, to::soon}, middle, 0, {none, {5}, {5}}},
    {"work owed", {op::add, A, to::overdue}, middle, 1, {none, {0, 1}, {1, 1}}},

    {"a pending one", {op::mod_pending, A, to::soon}, middle, 0, {{9}, {9}, {5}}},
    {"a due one", {op::mod_pending, A, to::soon}, middle, 1, {{0, 1}, {0, 1}, {5}}},
    {"an idle one", {op::mod_pending, A, to::soon}, middle, 0, {none, {9}, {5}}},

    {"from later", {op::reduce, A, to::soon}, middle, 0, {{9}, {9}, {5}}},
    {"from earlier", {op::reduce, A, to::far}, middle, 0, {{9}, {9}, {5}}},
    {"an idle one", {op::reduce, A, to::soon}, middle, 0, {none, {5}, {5}}},

    {"one of three", on(A, op::remove), middle, 0, {{5}, {5}, {5}}},
    {"a due one", on(A, op::remove), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"the only one of its slot", on(A, op::remove), middle, 0, {{9}, {two_blocks}, {5}}},
    {"an idle one", on(A, op::remove), middle, 0, {none, {5}, {5}}},
    {"a due one", on(A, op::try_to_remove), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"a due one", on(A, op::delete_sync), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"one of two", on(A, op::shutdown), middle, 0, {{5}, {5}, {two_blocks}}},
    {"a due one", on(A, op::shutdown), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},
    {"a due one", on(A, op::shutdown_sync), middle, 1, {{0, 1}, {0, 1}, {0, 1}}},

    {"in tv1", expiry, middle, 0, {{5}, {9}, {5}}},
    {"in tv2", expiry, middle, 0, {{two_blocks + 9}, {two_blocks + 5}, {3 * two_blocks}}},
    {"tv2 before tv1", expiry, end_of_block - 6, 0, {{20, block_ticks / 2}, {two_blocks + 20}, {two_blocks + 20}}},
    {"tv3 before tv2",
     expiry,
     end_of_turn - 10 * tv1_ticks,
     0,
     {{11 * two_blocks, turn_ticks}, {12 * two_blocks}, none}},
    {"behind a deferrable", expiry, middle, 0, {{5}, {9}, {two_blocks}}, {}, true},
    {"overdue, work owed", expiry, middle, 2, {{-1, 5}, {-9, 1}, {0, 5}}},
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

} // namespace interleavings

#endif
