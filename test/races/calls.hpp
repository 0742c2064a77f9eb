// SPDX-License-Identifier: MIT
// The calls of the wheel that the tests of races choose among: how the wheel does each, and how the reference model
// does those on a timer.
#ifndef TICKWHEEL_TEST_RACES_CALLS_HPP
#define TICKWHEEL_TEST_RACES_CALLS_HPP

#include <tickwheel/tickwheel.h>

#include "../support/reference_model.hpp"

namespace races
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
    advance,
    advance_and_run,
    run,
    run_budget,
    next_expiry,
    count_64,
    count
};

inline bool takes_a_timer(op what)
{
    return what >= op::mod && what <= op::pending;
}

/// A call with all that it needs. The clock is timer_jiffies before the call.
struct request {
    timer_list *timer;
    unsigned whom;
    jiffies_t expires;
    uint32_t argument;
    jiffies_t clock;
};

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

template <int (*Call)(timer_list *, jiffies_t)>
int to(const request &is, result & /*done*/)
{
    return Call(is.timer, is.expires);
}
template <int (*Call)(timer_list *)>
int to(const request &is, result & /*done*/)
{
    return Call(is.timer);
}

struct call_kind {
    const char *name;
    int (*perform)(const request &, result &);
};

/// One for each `op`, in the same order.
constexpr call_kind call_kinds[] = {
    {"nothing", [](const request &, result &) { return 0; }},
    {"mod_timer", to<tickwheel_mod_timer>},
    {"mod_timer to the same",
     [](const request &r, result &) { return tickwheel_mod_timer(r.timer, r.timer->expires); }},
    {"mod_timer_pending", to<tickwheel_mod_timer_pending>},
    {"mod_timer_idle", to<tickwheel_mod_timer_idle>},
    {"add_timer", [](const request &r, result &) { return tickwheel_add_timer(r.timer), 0; }},
    {"timer_reduce", to<tickwheel_timer_reduce>},
    {"timer_delete", to<tickwheel_timer_delete>},
    {"timer_delete and free", to<remove_and_free>},
    {"try_to_del", to<tickwheel_try_to_del_timer_sync>},
    {"delete_sync", to<tickwheel_timer_delete_sync>},
    {"shutdown", to<tickwheel_timer_shutdown>},
    {"shutdown_sync", to<tickwheel_timer_shutdown_sync>},
    {"timer_pending", [](const request &r, result &) { return tickwheel_timer_pending(r.timer); }},
    {"tick", [](const request &, result &done) { return done.due = tickwheel_tick(); }},
    {"advance", [](const request &r, result &done) { return done.due = tickwheel_advance(r.argument); }},
    {"advance and run",
     [](const request &r, result &done) {
         done.due = tickwheel_advance(r.argument);
         return done.due != 0 ? static_cast<int>(tickwheel_run()) : 0;
     }},
    {"run", [](const request &, result &) { return static_cast<int>(tickwheel_run()); }},
    {"run_budget", [](const request &r, result &) { return static_cast<int>(tickwheel_run_budget(r.argument)); }},
    {"next_expiry", [](const request &, result &done) { return read_next_expiry(done.value); }},
    {"get_jiffies_64",
     [](const request &, result &done) {
         done.value = tickwheel_get_jiffies_64();
         return 0;
     }},
};
static_assert(sizeof call_kinds / sizeof *call_kinds == static_cast<unsigned>(op::count));

inline const call_kind &kind_of(op what)
{
    return call_kinds[static_cast<unsigned>(what)];
}

/// Lets a model do a call on a timer. A reference model adds shut_down() and takes `clock` for timer_jiffies.
template <class Model>
int specify(Model &is, op what, const request &r, int64_t clock)
{
    switch (what) {
    case op::mod:
        return is.mod_timer(r.whom, r.expires, clock);
    case op::mod_same:
        return is.mod_timer(r.whom, is.timer[r.whom].expires, clock);
    case op::mod_pending:
        return is.mod_timer_pending(r.whom, r.expires, clock);
    case op::mod_idle:
        return is.mod_timer_idle(r.whom, r.expires, clock);
    case op::add:
        is.add_timer(r.whom, clock);
        return 0;
    case op::reduce:
        return is.timer_reduce(r.whom, r.expires, clock);
    case op::remove:
    case op::remove_and_free:
        return is.timer_delete(r.whom);
    case op::try_to_remove:
    case op::delete_sync:
        return is.timer_delete_sync(r.whom);
    case op::shutdown:
    case op::shutdown_sync:
        return is.shut_down(r.whom, what == op::shutdown_sync);
    case op::pending:
        return is.timer[r.whom].pending;
    default:
        return 0;
    }
}

} // namespace races

#endif
