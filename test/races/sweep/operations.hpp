// SPDX-License-Identifier: MIT
// The operations of the sweep: how the wheel does each, and how the specification
// does it.
#ifndef TICKWHEEL_TEST_SWEEP_OPERATIONS_HPP
#define TICKWHEEL_TEST_SWEEP_OPERATIONS_HPP

#include <tickwheel/tickwheel.h>

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

/// One call. The argument is an expiry, relative to the scenario's `now`, or a number of ticks, or a budget.
struct call {
    op what = op::nothing;
    timer_name whom = the_same;
    int32_t argument = 0;
};
constexpr unsigned most_calls = 2;

/// The results of a call.
struct result {
    uint64_t value;
    int returned;
    /// The result of the tick in a call that also runs the wheel.
    int due;

    bool same(const result &other) const
    {
        return returned == other.returned && value == other.value;
    }
};

/// A call with all that it needs. The clock is timer_jiffies before the call.
struct request {
    timer_list *timer;
    unsigned whom;
    jiffies_t expires;
    uint32_t argument;
    jiffies_t clock;
};

/// The timer that an interrupt has deleted and overwritten.
inline timer_list *freed;

inline int remove_and_free(timer_list *timer)
{
    const int returned = tickwheel_timer_delete(timer);
    if (returned != 0) {
        // Nothing is at these addresses: code that still follows them ends in a fault.
        timer->next = timer->prev = reinterpret_cast<timer_list *>(0x18000000);
        timer->function = nullptr;
        timer->expires = 0;
        freed = timer;
    }
    return returned;
}

inline int read_next_expiry(uint64_t &value)
{
    jiffies_t expires = 0;
    const int found = tickwheel_next_expiry(&expires);
    value = expires;
    return found;
}

struct operation {
    const char *name;
    int (*perform)(const request &, result &);
    int (*specify)(specification &, const request &, int64_t clock, result &);
};

/// One for each `op`, in the same order.
constexpr operation operations[] = {
    {"nothing", [](const request &, result &) { return 0; },
     [](specification &, const request &, int64_t, result &) { return 0; }},
    {"mod_timer", [](const request &r, result &) { return tickwheel_mod_timer(r.timer, r.expires); },
     [](specification &is, const request &r, int64_t at, result &) { return is.mod_timer(r.whom, r.expires, at); }},
    {"mod_timer to the same",
     [](const request &r, result &) { return tickwheel_mod_timer(r.timer, r.timer->expires); },
     [](specification &is, const request &r, int64_t at, result &) {
         return is.mod_timer(r.whom, is.timer[r.whom].expires, at);
     }},
    {"mod_timer_pending", [](const request &r, result &) { return tickwheel_mod_timer_pending(r.timer, r.expires); },
     [](specification &is, const request &r, int64_t at, result &) {
         return is.mod_timer_pending(r.whom, r.expires, at);
     }},
    {"mod_timer_idle", [](const request &r, result &) { return tickwheel_mod_timer_idle(r.timer, r.expires); },
     [](specification &is, const request &r, int64_t at, result &) {
         return is.mod_timer_idle(r.whom, r.expires, at);
     }},
    {"add_timer",
     [](const request &r, result &) {
         tickwheel_add_timer(r.timer);
         return 0;
     },
     [](specification &is, const request &r, int64_t at, result &) {
         is.add_timer(r.whom, at);
         return 0;
     }},
    {"timer_reduce", [](const request &r, result &) { return tickwheel_timer_reduce(r.timer, r.expires); },
     [](specification &is, const request &r, int64_t at, result &) {
         return is.timer_reduce(r.whom, r.expires, at);
     }},
    {"timer_delete", [](const request &r, result &) { return tickwheel_timer_delete(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.timer_delete(r.whom); }},
    {"timer_delete and free", [](const request &r, result &) { return remove_and_free(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.timer_delete(r.whom); }},
    {"try_to_del", [](const request &r, result &) { return tickwheel_try_to_del_timer_sync(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.timer_delete_sync(r.whom); }},
    {"delete_sync", [](const request &r, result &) { return tickwheel_timer_delete_sync(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.timer_delete_sync(r.whom); }},
    {"shutdown", [](const request &r, result &) { return tickwheel_timer_shutdown(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.shut_down(r.whom, false); }},
    {"shutdown_sync", [](const request &r, result &) { return tickwheel_timer_shutdown_sync(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return is.shut_down(r.whom, true); }},
    {"timer_pending", [](const request &r, result &) { return tickwheel_timer_pending(r.timer); },
     [](specification &is, const request &r, int64_t, result &) { return int{is.timer[r.whom].pending}; }},
    {"tick", [](const request &, result &done) { return done.due = tickwheel_tick(); },
     [](specification &is, const request &, int64_t, result &done) {
         is.count_ticks(1, done.due);
         return done.due;
     }},
    {"advance and run",
     [](const request &r, result &done) {
         done.due = tickwheel_advance(r.argument);
         return done.due != 0 ? static_cast<int>(tickwheel_run()) : 0;
     },
     [](specification &is, const request &r, int64_t, result &done) {
         is.count_ticks(r.argument, done.due);
         return done.due != 0 ? static_cast<int>(is.run()) : 0;
     }},
    {"run", [](const request &, result &) { return static_cast<int>(tickwheel_run()); },
     [](specification &is, const request &, int64_t, result &) { return static_cast<int>(is.run()); }},
    {"run_budget", [](const request &r, result &) { return static_cast<int>(tickwheel_run_budget(r.argument)); },
     [](specification &is, const request &r, int64_t, result &done) {
         return static_cast<int>(is.run_budget(r.argument, static_cast<unsigned>(done.returned)));
     }},
    {"next_expiry", [](const request &, result &done) { return read_next_expiry(done.value); },
     [](specification &is, const request &, int64_t, result &done) { return is.next_tick(done.value); }},
    {"get_jiffies_64",
     [](const request &, result &done) {
         done.value = tickwheel_get_jiffies_64();
         return 0;
     },
     [](specification &is, const request &, int64_t, result &done) {
         done.value = static_cast<uint64_t>(is.now);
         return 0;
     }},
};
static_assert(sizeof operations / sizeof *operations == static_cast<unsigned>(op::count_64) + 1);

inline const operation &operation_of(const call &is)
{
    return operations[static_cast<unsigned>(is.what)];
}

inline bool takes_a_timer(op what)
{
    return what >= op::mod && what <= op::pending;
}

inline bool works_on(const call (&calls)[most_calls], timer_name timer)
{
    return (takes_a_timer(calls[0].what) && calls[0].whom == timer) ||
           (takes_a_timer(calls[1].what) && calls[1].whom == timer);
}

inline bool counts_ticks(const call (&calls)[most_calls])
{
    const auto ticks = [](op what) { return what == op::tick || what == op::advance_and_run; };
    return ticks(calls[0].what) || ticks(calls[1].what);
}

} // namespace sweep

#endif
