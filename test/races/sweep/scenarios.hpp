// SPDX-License-Identifier: MIT
// The scenarios of the sweep: operations with the wheels that they find, and the
// operations that interrupt them. Each of the first meets each of the second. They
// reach each instruction but those that sweep.py names. The interleavings have more states of the wheel.
#ifndef TICKWHEEL_TEST_SWEEP_SCENARIOS_HPP
#define TICKWHEEL_TEST_SWEEP_SCENARIOS_HPP

#include "operations.hpp"

namespace sweep
{

constexpr timer_name arming_order[] = {the_older, the_same, the_younger, the_other, the_last};
constexpr unsigned armed_count = sizeof arming_order / sizeof *arming_order;
constexpr const char *timer_names[] = {"the same", "the older", "the younger", "the other", "the last"};

constexpr int32_t idle = INT32_MIN;

enum option : unsigned {
    /// All ticks are counted at once and are owed. Without it, each tick but the last is run.
    at_once = 1,
    /// Two interrupts are tried too.
    twice = 2,
    /// The last timer is armed after the ticks.
    last_is_late = 4,
    older_is_deferrable = 8
};

/// The expiries of the timers in the order of arming, relative to the scenario's `now`.
struct expiries {
    int32_t at[armed_count];
};

struct scenario {
    const char *name;
    call under_way[most_calls];
    /// `jiffies` when the operation begins.
    jiffies_t now;
    /// The wheel starts this many ticks earlier, and the timers are armed then.
    uint32_t ticks;
    expiries armed;
    unsigned options = 0;
    /// The calls of the same timer's callback when it first runs.
    call in_callback[most_calls] = {};
};

constexpr scenario runs(const char *name, jiffies_t now, uint32_t ticks, expiries armed, unsigned options = 0)
{
    return {name, {{op::run}}, now, ticks, armed, options, {}};
}

constexpr scenario asks(const char *name, jiffies_t now, uint32_t ticks, expiries armed, unsigned options = 0)
{
    return {name, {{op::next_expiry}}, now, ticks, armed, options, {}};
}

constexpr scenario runs_with(uint32_t budget, const char *name, jiffies_t now, uint32_t ticks, expiries armed,
                             call then = {}, unsigned options = 0)
{
    return {name, {{op::run_budget, the_same, static_cast<int32_t>(budget)}, then}, now, ticks, armed, options, {}};
}

/// Three timers are due. The callback of the second does these calls.
constexpr scenario calls_back(const char *name, call first, call second = {}, unsigned options = 0)
{
    return {name, {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, options, {first, second}};
}

// requirement: TW-25, TW-26, TW-27, TW-29
constexpr scenario scenarios[] = {
    {"get_jiffies_64", {{op::count_64}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, 2^31 next", {{op::count_64}}, 0x7fffffff, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, block before 2^31", {{op::count_64}}, 0x7ffffffe, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, 2^32 next", {{op::count_64}}, 0xffffffff, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, block before 2^32", {{op::count_64}}, 0xfffffffe, 1, {5, 5, 5, 9, 700}},
    {"tick", {{op::tick}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"tick at a block's end", {{op::tick}}, 0x10fe, 0, {5, 5, 5, 9, 700}},
    {"tick to 2^32", {{op::tick}}, 0xffffffff, 0, {1, 1, 1, 9, 700}},
    {"advance", {{op::advance_and_run, the_same, 3}}, 0x1010, 0, {2, 2, 5, 9, 700}},
    {"arm behind others", {{op::mod, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"arm as the first", {{op::mod, the_same, 3}}, 0x1010, 0, {9, idle, 9, 40, 700}},
    {"arm far away", {{op::mod, the_same, 5000}}, 0x1010, 0, {5000, idle, 5000, 9, 20000}},
    {"arm in tv3", {{op::mod, the_same, 20000}}, 0x1010, 0, {20000, idle, 20000, 9, 700}},
    {"arm in tv4", {{op::mod, the_same, 2000000}}, 0x1010, 0, {2000000, idle, 20000, 9, 700}},
    {"arm in tv5", {{op::mod, the_same, 100000000}}, 0x1010, 0, {100000000, idle, 20000, 9, 700}},
    {"move", {{op::mod, the_same, 9}}, 0x1010, 0, {5, 5, 5, 9, 700}, twice},
    {"move an only one", {{op::mod, the_same, 40}}, 0x1010, 0, {9, 5, 9, 700, 5000}},
    {"move to overdue, work owed", {{op::mod, the_same, -7}}, 0x1010, 1, {0, 5, 5, 9, 700}},
    {"move to overdue, blocks owed", {{op::mod, the_same, -100}}, 0x2010, 3000, {-100, 5, -100, -2500, 700}, at_once},
    {"add_timer", {{op::add, the_same, 2000000}}, 0x1010, 0, {2000000, idle, 20000, 9, 700}},
    {"add_timer of a pending one", {{op::add}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"mod_timer_pending", {{op::mod_pending, the_same, 20000}}, 0x1010, 0, {20000, 5, 5, 9, 700}},
    {"mod_timer_pending to tv4", {{op::mod_pending, the_same, 2000000}}, 0x1010, 0, {20000, 5, 5, 9, 700}},
    {"mod_timer_pending to overdue", {{op::mod_pending, the_same, -7}}, 0x1010, 0, {5000, 5000, 5000, 9, 20000}},
    {"mod_timer_pending of an idle one", {{op::mod_pending, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"mod_timer_idle", {{op::mod_idle, the_same, 100000000}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"mod_timer_idle of a pending one", {{op::mod_idle, the_same, 9}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"timer_reduce to earlier", {{op::reduce, the_same, 5}}, 0x1010, 0, {9, 9, 5, 5, 700}},
    {"timer_reduce to later", {{op::reduce, the_same, 40}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"timer_reduce of an idle one", {{op::reduce, the_same, 5000}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"timer_reduce to overdue, work owed", {{op::reduce, the_same, -7}}, 0x1010, 1, {0, 5, 5, 9, 700}},
    {"delete", {{op::remove}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"delete an only one", {{op::remove}}, 0x1010, 0, {9, 5, 9, 40, 700}},
    {"delete an idle one", {{op::remove}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"delete a due one", {{op::remove}}, 0x1010, 1, {0, 0, 0, 9, 700}},
    {"try_to_del", {{op::try_to_remove}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"try_to_del of an idle one", {{op::try_to_remove}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"delete_sync", {{op::delete_sync}}, 0x1010, 1, {0, 0, 0, 9, 700}},
    {"shutdown, then mod_timer", {{op::shutdown}, {op::mod, the_same, 9}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"shutdown_sync, then add_timer", {{op::shutdown_sync}, {op::add}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"shutdown of an only one", {{op::shutdown}}, 0x1010, 0, {9, 5, 9, 40, 700}},
    {"timer_pending", {{op::pending}}, 0x1010, 1, {0, 0, 0, 9, 700}},
    runs("expire one", 0x1010, 1, {1, 0, 1, 40, 700}),
    runs("expire two", 0x1010, 1, {0, 0, 1, 9, 700}, twice),
    runs("expire, the next is in tv2", 0x1010, 1, {700, 0, 700, 5000, 20000}),
    runs_with(1, "expire, a budget of 1", 0x1010, 1, {0, 0, 0, 9, 700}, {}, twice),
    runs_with(0, "expire, a budget of 0", 0x1010, 1, {0, 0, 0, 9, 700}),
    // At a block's end a slot of tv2 comes down.
    runs("cascade", 0x107f, 1, {148, 148, 148, 270, 385}),
    runs("cascade, one due first", 0x107f, 1, {129, 0, 129, 130, 5000}, twice),
    runs("cascade of an odd slot of tv2", 0x10ff, 1, {140, 140, 140, 130, 257}),
    runs_with(0, "cascade, a budget of 0", 0x107f, 1, {148, 148, 148, 130, 385}),
    // An empty tick takes one step, the block seven: two timers move.
    runs_with(10, "cascade, a budget of 10", 0x107f, 1, {148, 148, 148, 130, 385}),
    runs_with(10, "cascade, a budget of 10, then next_expiry", 0x107f, 1, {148, 148, 148, 130, 385},
              {op::next_expiry}),
    runs_with(9, "cascade of two levels, a budget of 9, next_expiry", 0x3f7f, 0x3f70, {148, 148, 148, 385, 828},
              {op::next_expiry}),
    {"cascade, a callback arms itself for now", {{op::run}}, 0x107f, 1, {0, 0, 0, 130, 385}, 0, {{op::mod_idle}}},
    runs("cascade of two levels", 0x3f7f, 0x3f70, {148, 148, 148, 385, 828}),
    runs("cascade of all levels", 0x3ffff7f, 0x3ffff70, {148, 148, 20128, 385, 2000128}),
    runs("cascade over 2^31", 0x7fffff7f, 1, {148, 148, 148, 130, 385}),
    runs("jump", 0x2010, 3000, {-100, -100, -100, -2500, 5}, at_once | twice),
    runs("jump, the next is in another word of tv2", 0x1010, 3000, {5000, 5000, 5000, 15000, 20000}, at_once),
    runs("jump, the next is a turn of tv2 away", 0x2acc, 700, {15000, 15000, 15000, 20000, 100000000}, at_once),
    runs("jump, the next is in the other half of tv3", 0x3010, 3000, {600000, 600000, 600000, 950000, idle}, at_once),
    runs("jump, the next is a turn of tv3 away", 0xa1010, 3000, {950000, 950000, 950000, idle, idle}, at_once),
    runs("jump, the next is in tv1", 0x2010, 3000, {-2798, -2798, -2798, -2500, 5}, at_once),
    runs("jump over 2^14", 0x4010, 0x2010, {-5, -5, 5, -0x1500, 700}, at_once),
    calls_back("re-arms itself", {op::mod, the_same, 5}),
    {"re-arms itself at a block's end", {{op::run}}, 0x10ff, 1, {1, 0, 1, 2, 700}, 0, {{op::mod}, {op::next_expiry}}},
    calls_back("re-arms itself, try_to_del", {op::mod, the_same, 5}, {op::try_to_remove}),
    calls_back("delete_sync of itself and of the younger", {op::delete_sync}, {op::delete_sync, the_younger}),
    calls_back("shuts itself down, mod_timer", {op::shutdown}, {op::mod, the_same, 5}),
    calls_back("re-arms itself, shutdown_sync", {op::mod, the_same, 5}, {op::shutdown_sync}),
    calls_back("deletes and re-arms the other", {op::remove, the_other}, {op::mod, the_other, 0}, twice),
    calls_back("runs the wheel, asks for the next expiry", {op::run}, {op::next_expiry}),
    asks("next_expiry in tv1", 0x1010, 0, {5, 5, 5, 9, 700}, twice),
    asks("next_expiry in an even and an odd slot", 0x1090, 0, {703, 700, 828, 5000, 20000}, twice),
    asks("next_expiry in tv2", 0x1010, 0, {701, 700, 702, 5000, 20000}, twice),
    asks("next_expiry in tv5", 0x1010, 0, {100000000, 100000000, 100000000, idle, idle}, twice),
    asks("next_expiry in the other half of tv3", 0x3010, 0, {600000, 600000, 600000, 950000, 2000000}),
    asks("next_expiry around tv3", 0xf1010, 0, {100000, 100000, 100000, 600000, 2000000}),
    asks("next_expiry a turn of tv3 away", 0xa1010, 0, {950000, 950000, 950000, 2000000, 2000000}),
    asks("next_expiry, tv1 or tv2", 0x10c0, 0xb0, {70, 70, 71, 200, 5000}, twice),
    asks("next_expiry, tv3 before tv2", 0x3010, 0x3010, {idle, 0x1010, idle, idle, 5000}, twice | last_is_late),
    asks("next_expiry, slots of tv3 behind its own", 0x3010, 0x3010, {20000, 0x1010, 20000, 20000, 5000},
         last_is_late),
    asks("next_expiry behind a deferrable in tv1", 0x1010, 0, {5, 100, 100, 200, 700}, twice | older_is_deferrable),
    asks("next_expiry behind a deferrable in tv2", 0x1010, 0, {700, 10000, 10000, 20000, 20000},
         twice | older_is_deferrable),
    asks("next_expiry behind a deferrable, around tv2", 0x3c10, 0, {700, 1500, 1500, 5000, 20000},
         older_is_deferrable),
    asks("next_expiry behind a deferrable, a turn of tv2 away", 0x2810, 0, {2600, 15000, 15000, 20000, 20000},
         older_is_deferrable),
    asks("next_expiry behind the only one of tv2, a deferrable", 0x1010, 0, {700, idle, idle, idle, 20000},
         older_is_deferrable),
    asks("next_expiry a turn of tv2 away", 0x2810, 0, {15000, 15000, 15000, 20000, 20000}),
    asks("next_expiry behind a deferrable, a turn of its word away", 0x2810, 0, {700, 15000, 15000, 20000, 20000},
         older_is_deferrable),
    asks("next_expiry behind a deferrable, both in the lower half of a word", 0x1810, 0,
         {5000, 10000, 10000, 20000, 20000}, older_is_deferrable),
    asks("next_expiry behind the only one of tv3, a deferrable", 0x1010, 0, {20000, idle, idle, idle, 2000000},
         older_is_deferrable),
    asks("next_expiry behind a deferrable in tv3", 0x1010, 0, {20000, 100000, 100000, 600000, 2000000},
         older_is_deferrable),
};

struct interruption {
    call calls[most_calls];
    /// The calls are done to the same, the older, the younger and the other in turn.
    bool on_a_timer;
};

constexpr interruption interruptions[] = {
    {{{op::mod, the_same, 0}}, true},
    {{{op::mod, the_same, 1}}, true},
    {{{op::mod, the_same, 5}}, true},
    {{{op::mod, the_same, 9}}, true},
    {{{op::mod, the_same, 257}}, true},
    {{{op::mod, the_same, 5000}}, true},
    {{{op::mod, the_same, -10}}, true},
    {{{op::mod_same}}, true},
    {{{op::mod_pending, the_same, 5}}, true},
    {{{op::mod_idle, the_same, 5}}, true},
    {{{op::add}}, true},
    {{{op::reduce, the_same, 7}}, true},
    {{{op::remove}}, true},
    {{{op::mod, the_same, 7}, {op::remove}}, true},
    {{{op::remove_and_free}}, true},
    {{{op::try_to_remove}}, true},
    {{{op::delete_sync}, {op::mod, the_same, 5}}, true},
    {{{op::shutdown}, {op::mod, the_same, 5}}, true},
    {{{op::shutdown_sync}, {op::reduce, the_same, 0}}, true},
    {{{op::tick}}, false},
    {{{op::advance_and_run, the_same, 1}}, false},
    {{{op::advance_and_run, the_same, 300}}, false},
    {{{op::tick}, {op::run_budget, the_same, 1}}, false},
    {{{op::run}}, false},
    {{{op::run_budget, the_same, 0}}, false},
    {{{op::next_expiry}}, false},
    {{{op::count_64}}, false},
};

/// Two interrupts, each with one call.
struct two_interruptions {
    call first;
    call second;
};
constexpr two_interruptions two_in_a_row[] = {
    {{op::mod, the_older, 1}, {op::remove, the_same}},
    {{op::remove, the_same}, {op::mod, the_same, 5}},
    {{op::mod, the_younger, -10}, {op::advance_and_run, the_same, 1}},
    {{op::advance_and_run, the_same, 1}, {op::mod, the_older, -10}},
    {{op::remove, the_older}, {op::next_expiry}},
    {{op::mod, the_other, 5000}, {op::mod, the_older, 5000}},
    {{op::mod, the_same, 9}, {op::shutdown_sync, the_same}},
};

/// After an operation, every one of these ticks, and the one before it, is run to its end.
constexpr jiffies_t stops[] = {1,     2,     3,     4,      5,      6,      7,       8,       9,        10,   20,
                               22,    40,    70,    100,    129,    130,    140,     148,     200,      256,  257,
                               258,   270,   302,   385,    700,    703,    828,     1500,    5000,     5128, 10000,
                               15000, 20000, 20128, 100000, 600000, 950000, 2000000, 2000128, 100000000};

} // namespace sweep

#endif
