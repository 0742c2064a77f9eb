// SPDX-License-Identifier: MIT
// What the sweep does: the operations that are under way, with the wheels that
// they find, and those that interrupt them. Every one of the first meets every one
// of the second.
#ifndef TICKWHEEL_TEST_SWEEP_SCENARIOS_HPP
#define TICKWHEEL_TEST_SWEEP_SCENARIOS_HPP

#include <stdint.h>

#include "specification.hpp"

namespace sweep
{

enum class op : uint8_t {
    nothing,
    mod,
    mod_same,
    mod_pending,
    mod_idle,
    add,
    reduce,
    remove,
    remove_and_free,
    try_to_remove,
    delete_sync,
    shutdown,
    shutdown_sync,
    pending,
    tick,
    advance_and_run,
    run,
    run_budget,
    next_expiry,
    count_64
};

/// One call. The argument: to which tick, told from the scenario's `now`; or how many ticks; or the budget.
struct call {
    op what = op::nothing;
    timer_name whom = the_same;
    int32_t argument = 0;
};
constexpr unsigned most_calls = 2;

constexpr timer_name arming_order[] = {the_older, the_same, the_younger, the_other, the_last};
constexpr unsigned armed_count = sizeof arming_order / sizeof *arming_order;

constexpr int32_t idle = INT32_MIN;

enum option : unsigned {
    /// The ticks are counted all at once and are owed; else they are run as they come, but for the last.
    at_once = 1,
    /// Also with two interrupts.
    twice = 2,
    /// The last one is armed when the ticks are over.
    last_is_late = 4,
    older_is_deferrable = 8
};

/// A wheel, and calls that are under way on it. Ticks are told from `now`, what jiffies is when they begin.
struct scenario {
    const char *name;
    call under_way[most_calls];
    jiffies_t now;
    /// The wheel starts so many ticks earlier, and the timers are armed then.
    uint32_t ticks;
    /// In the order of arming: older, the same, younger, other, last.
    int32_t armed[armed_count];
    unsigned options = 0;
    /// What the callback of the same does when it is called for the first time.
    call in_callback[most_calls] = {};
};

constexpr scenario scenarios[] = {
    {"get_jiffies_64", {{op::count_64}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, 2^31 next", {{op::count_64}}, 0x7fffffff, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, block before 2^31", {{op::count_64}}, 0x7ffffffe, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, 2^32 next", {{op::count_64}}, 0xffffffff, 1, {5, 5, 5, 9, 700}},
    {"get_jiffies_64, block before 2^32", {{op::count_64}}, 0xfffffffe, 1, {5, 5, 5, 9, 700}},
    {"tick", {{op::tick}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"tick with a timer due", {{op::tick}}, 0x1010, 0, {1, 1, 1, 9, 700}},
    {"tick at a block's end", {{op::tick}}, 0x10fe, 0, {5, 5, 5, 9, 700}},
    {"tick to 2^31", {{op::tick}}, 0x7fffffff, 0, {1, 1, 1, 9, 700}},
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
    {"move to overdue", {{op::mod, the_same, -7}}, 0x1010, 0, {5000, 5000, 5000, 9, 20000}},
    {"move to overdue, work owed", {{op::mod, the_same, -7}}, 0x1010, 1, {0, 5, 5, 9, 700}},
    {"move to overdue, blocks owed", {{op::mod, the_same, -100}}, 0x2010, 3000, {-100, 5, -100, -2500, 700}, at_once},
    {"move to before all that is owed",
     {{op::mod, the_same, -5000}},
     0x2010,
     3000,
     {-2999, 5, -2999, -2500, 5},
     at_once},
    {"add_timer", {{op::add, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"add_timer of a pending one", {{op::add}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"mod_timer_pending", {{op::mod_pending, the_same, 9}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"mod_timer_pending of an idle one", {{op::mod_pending, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"mod_timer_idle", {{op::mod_idle, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
    {"mod_timer_idle of a pending one", {{op::mod_idle, the_same, 9}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"timer_reduce to earlier", {{op::reduce, the_same, 5}}, 0x1010, 0, {9, 9, 5, 5, 700}},
    {"timer_reduce to later", {{op::reduce, the_same, 40}}, 0x1010, 0, {5, 5, 5, 9, 700}},
    {"timer_reduce of an idle one", {{op::reduce, the_same, 5}}, 0x1010, 0, {5, idle, 5, 9, 700}},
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
    {"expire one", {{op::run}}, 0x1010, 1, {1, 0, 1, 40, 700}},
    {"expire two", {{op::run}}, 0x1010, 1, {0, 0, 1, 9, 700}, twice},
    {"expire three", {{op::run}}, 0x1010, 1, {0, 0, 0, 1, 70}},
    {"expire, the next is far", {{op::run}}, 0x1010, 1, {100, 0, 100, 200, 700}},
    {"expire, the next is in tv2", {{op::run}}, 0x1010, 1, {700, 0, 700, 5000, 20000}},
    {"expire, a budget of 1", {{op::run_budget, the_same, 1}}, 0x1010, 1, {0, 0, 0, 9, 700}, twice},
    {"expire, a budget of 1 after two ticks",
     {{op::run_budget, the_same, 1}},
     0x1010,
     2,
     {-1, 0, 0, 9, 700},
     at_once},
    {"expire, a budget of 0", {{op::run_budget, the_same, 0}}, 0x1010, 1, {0, 0, 0, 9, 700}},
    {"cascade", {{op::run}}, 0x10ff, 1, {20, 20, 20, 2, 257}},
    {"cascade, one due first", {{op::run}}, 0x10ff, 1, {1, 0, 1, 2, 5000}, twice},
    {"cascade, a budget of 0", {{op::run_budget, the_same, 0}}, 0x10ff, 1, {20, 20, 20, 2, 257}},
    {"cascade, all due in the block's first tick", {{op::run}}, 0x10ff, 1, {1, 1, 1, 20, 700}},
    {"cascade of two levels", {{op::run}}, 0x3fff, 0x3ff0, {20, 20, 20, 257, 700}},
    {"cascade of three levels", {{op::run}}, 0xfffff, 0xffff0, {20, 20, 5000, 257, 20000}},
    {"cascade of all levels", {{op::run}}, 0x3ffffff, 0x3fffff0, {20, 20, 20000, 257, 2000000}},
    {"cascade over 2^31", {{op::run}}, 0x7fffffff, 1, {20, 20, 20, 2, 257}},
    {"cascade over 2^32", {{op::run}}, 0xffffffff, 1, {20, 20, 20, 2, 257}},
    {"jump", {{op::run}}, 0x2010, 3000, {-100, -100, -100, -2500, 5}, at_once | twice},
    {"jump, nothing due", {{op::run}}, 0x2010, 3000, {700, 700, 700, 5, 20000}, at_once},
    {"jump, the next is in the other half of tv2",
     {{op::run}},
     0x1010,
     3000,
     {5000, 5000, 5000, 15000, 20000},
     at_once},
    {"jump, the next is a turn of tv2 away",
     {{op::run}},
     0x2acc,
     700,
     {15000, 15000, 15000, 20000, 100000000},
     at_once},
    {"jump over 2^14", {{op::run}}, 0x4010, 0x2010, {-5, -5, 5, -0x1500, 700}, at_once},
    {"re-arms itself", {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, 0, {{op::mod, the_same, 5}}},
    {"re-arms itself if it is idle", {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, 0, {{op::mod_idle, the_same, 5}}},
    {"re-arms itself for the past", {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, 0, {{op::mod, the_same, -7}}},
    {"re-arms itself at a block's end, asks for the next expiry",
     {{op::run}},
     0x10ff,
     1,
     {1, 0, 1, 2, 700},
     0,
     {{op::mod, the_same, 0}, {op::next_expiry}}},
    {"deletes the younger", {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, 0, {{op::remove, the_younger}}},
    {"try_to_del of itself", {{op::run}}, 0x1010, 1, {0, 0, 0, 9, 700}, 0, {{op::try_to_remove}}},
    {"re-arms itself, try_to_del",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     0,
     {{op::mod, the_same, 5}, {op::try_to_remove}}},
    {"delete_sync of itself and of the younger",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     0,
     {{op::delete_sync}, {op::delete_sync, the_younger}}},
    {"shuts itself down, mod_timer",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     0,
     {{op::shutdown}, {op::mod, the_same, 5}}},
    {"re-arms itself, shutdown_sync",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     0,
     {{op::mod, the_same, 5}, {op::shutdown_sync}}},
    {"deletes and re-arms the other",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     twice,
     {{op::remove, the_other}, {op::mod, the_other, 0}}},
    {"runs the wheel, asks for the next expiry",
     {{op::run}},
     0x1010,
     1,
     {0, 0, 0, 9, 700},
     0,
     {{op::run}, {op::next_expiry}}},
    {"next_expiry in tv1", {{op::next_expiry}}, 0x1010, 0, {5, 5, 5, 9, 700}, twice},
    {"next_expiry in tv2", {{op::next_expiry}}, 0x1010, 0, {701, 700, 702, 5000, 20000}, twice},
    {"next_expiry in tv5", {{op::next_expiry}}, 0x1010, 0, {100000000, 100000000, 100000000, idle, idle}},
    {"next_expiry in the other half of tv3",
     {{op::next_expiry}},
     0x3010,
     0,
     {600000, 600000, 600000, 950000, 2000000}},
    {"next_expiry around tv3", {{op::next_expiry}}, 0xf1010, 0, {100000, 100000, 100000, 600000, 2000000}},
    {"next_expiry a turn of tv3 away", {{op::next_expiry}}, 0xa1010, 0, {950000, 950000, 950000, 2000000, 2000000}},
    {"next_expiry, tv1 or tv2", {{op::next_expiry}}, 0x10c0, 0xb0, {70, 70, 71, 200, 5000}, twice},
    {"next_expiry, tv3 before tv2",
     {{op::next_expiry}},
     0x3010,
     0x3010,
     {idle, 0x1010, idle, idle, 5000},
     twice | last_is_late},
    {"next_expiry, slots of tv3 behind its own",
     {{op::next_expiry}},
     0x3010,
     0x3010,
     {20000, 0x1010, 20000, 20000, 5000},
     last_is_late},
    {"next_expiry behind a deferrable in tv1",
     {{op::next_expiry}},
     0x1010,
     0,
     {5, 100, 100, 200, 700},
     twice | older_is_deferrable},
    {"next_expiry behind a deferrable in tv2",
     {{op::next_expiry}},
     0x1010,
     0,
     {700, 10000, 10000, 20000, 20000},
     twice | older_is_deferrable},
    {"next_expiry behind a deferrable, around tv2",
     {{op::next_expiry}},
     0x3c10,
     0,
     {700, 1500, 1500, 5000, 20000},
     older_is_deferrable},
    {"next_expiry behind a deferrable, a turn of tv2 away",
     {{op::next_expiry}},
     0x2810,
     0,
     {2600, 15000, 15000, 20000, 20000},
     older_is_deferrable},
    {"next_expiry behind the only one of tv2, a deferrable",
     {{op::next_expiry}},
     0x1010,
     0,
     {700, idle, idle, idle, 20000},
     older_is_deferrable},
};

struct interruption {
    const char *name;
    call calls[most_calls];
    /// They are done to the same, the older, the younger and the other in turn.
    bool on_a_timer;
};

constexpr interruption interruptions[] = {
    {"mod_timer to this tick", {{op::mod, the_same, 0}}, true},
    {"mod_timer to the next tick", {{op::mod, the_same, 1}}, true},
    {"mod_timer near", {{op::mod, the_same, 5}}, true},
    {"mod_timer to the other's", {{op::mod, the_same, 9}}, true},
    {"mod_timer to the next block", {{op::mod, the_same, 257}}, true},
    {"mod_timer far", {{op::mod, the_same, 5000}}, true},
    {"mod_timer to overdue", {{op::mod, the_same, -10}}, true},
    {"mod_timer to the same", {{op::mod_same}}, true},
    {"mod_timer_pending", {{op::mod_pending, the_same, 5}}, true},
    {"mod_timer_idle", {{op::mod_idle, the_same, 5}}, true},
    {"add_timer", {{op::add}}, true},
    {"timer_reduce", {{op::reduce, the_same, 7}}, true},
    {"timer_delete", {{op::remove}}, true},
    {"mod_timer, timer_delete", {{op::mod, the_same, 7}, {op::remove}}, true},
    {"timer_delete and free", {{op::remove_and_free}}, true},
    {"try_to_del", {{op::try_to_remove}}, true},
    {"delete_sync, mod_timer", {{op::delete_sync}, {op::mod, the_same, 5}}, true},
    {"shutdown, mod_timer", {{op::shutdown}, {op::mod, the_same, 5}}, true},
    {"shutdown_sync, timer_reduce", {{op::shutdown_sync}, {op::reduce, the_same, 0}}, true},
    {"tick", {{op::tick}}, false},
    {"tick and run", {{op::advance_and_run, the_same, 1}}, false},
    {"advance and run", {{op::advance_and_run, the_same, 300}}, false},
    {"tick and run one", {{op::tick}, {op::run_budget, the_same, 1}}, false},
    {"run", {{op::run}}, false},
    {"run none", {{op::run_budget, the_same, 0}}, false},
    {"next_expiry", {{op::next_expiry}}, false},
    {"get_jiffies_64", {{op::count_64}}, false},
};

/// Where there are two: each of these calls is an interrupt.
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

constexpr const char *timer_names[] = {"the same", "the older", "the younger", "the other", "the last"};
constexpr const char *operation_names[] = {"nothing",
                                           "mod_timer",
                                           "mod_timer to the same",
                                           "mod_timer_pending",
                                           "mod_timer_idle",
                                           "add_timer",
                                           "timer_reduce",
                                           "timer_delete",
                                           "timer_delete",
                                           "try_to_del",
                                           "delete_sync",
                                           "shutdown",
                                           "shutdown_sync",
                                           "timer_pending",
                                           "tick",
                                           "advance and run",
                                           "run",
                                           "run_budget",
                                           "next_expiry",
                                           "get_jiffies_64"};

/// After an operation, every one of these ticks, and the one before it, is run to its end.
constexpr jiffies_t stops[] = {1,    2,    3,     4,     5,     6,      7,      8,      9,       10,       20,
                               22,   40,   70,    100,   200,   256,    257,    258,    302,     700,      703,
                               1500, 5000, 10000, 15000, 20000, 100000, 600000, 950000, 2000000, 100000000};

inline bool takes_a_timer(op what)
{
    return what >= op::mod && what <= op::pending;
}

inline bool works_on(const call (&calls)[most_calls], timer_name timer)
{
    return (takes_a_timer(calls[0].what) && calls[0].whom == timer) ||
           (takes_a_timer(calls[1].what) && calls[1].whom == timer);
}

inline bool counts_ticks(op what)
{
    return what == op::tick || what == op::advance_and_run;
}
inline bool counts_ticks(const call (&calls)[most_calls])
{
    return counts_ticks(calls[0].what) || counts_ticks(calls[1].what);
}

} // namespace sweep

#endif
