// SPDX-License-Identifier: MIT
// The timers and the calls of the tests of races, their arguments, and how a wheel makes them. The interleavings use
// a wheel whose lock they watch. The sweep uses the library and such a wheel.
#pragma once

#include <stdint.h>

#include "../support/walker.hpp"
#include <tickwheel/tickwheel.h>
#include <tickwheel/timer.hpp>

namespace races
{

enum class op : uint8_t {
    nothing,
    mod,
    mod_pending,
    mod_idle,
    add,
    reduce,
    timer_delete,
    try_to_del,
    delete_sync,
    shutdown,
    shutdown_sync,
    pending,
    advance,
    advance_and_run,
    run,
    next_expiry,
    get_jiffies_64,
    number_of_operations
};
/// One for each `op`, in the same order.
constexpr const char *op_names[] = {
    "nothing",       "mod_timer",     "mod_timer_pending", "mod_timer_idle",  "add_timer",
    "timer_reduce",  "timer_delete",  "try_to_del",        "delete_sync",     "shutdown",
    "shutdown_sync", "timer_pending", "advance",           "advance and run", "run",
    "next_expiry",   "get_jiffies_64"};
static_assert(sizeof op_names / sizeof *op_names == static_cast<unsigned>(op::number_of_operations));

inline bool takes_a_timer(op what)
{
    return what >= op::mod && what <= op::pending;
}

inline bool counts_ticks(op what)
{
    return what == op::advance || what == op::advance_and_run;
}

enum timer_name : unsigned { A, B, C, timer_count };
constexpr const char *timer_names[] = {"A", "B", "C"};
inline timer_list timers[timer_count];

/// The new expiry of a timer, counted from the start of the call. add_timer() takes the timer's own.
enum class to : unsigned { same, overdue, this_tick, next_tick, soon, next_block, others, tv3, tv4, tv5 };
constexpr const char *to_names[] = {"the same",      "overdue",    "this tick",          "the next tick",
                                    "five ticks on", "next block", "the other's expiry", "tv3",
                                    "tv4",           "tv5"};

/// A run without a budget.
constexpr uint32_t everything = ~0u;

struct operation {
    op what = op::nothing;
    timer_name timer = A;
    to expires = to::same;
    /// How many ticks, or steps of a run.
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
constexpr operation run(uint32_t budget = everything)
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
/// The ticks that tv2, tv3 and tv4 cover.
constexpr jiffies_t turn_ticks = tv1_ticks * support::geometry::tvn_size;
constexpr jiffies_t turn_of_tv3 = turn_ticks * support::geometry::tvn_size;
constexpr jiffies_t turn_of_tv4 = turn_of_tv3 * support::geometry::tvn_size;

inline jiffies_t expiry_of(const operation &request)
{
    switch (request.expires) {
    case to::overdue:
        return jiffies - 7;
    case to::this_tick:
        return jiffies;
    case to::next_tick:
        return jiffies + 1;
    case to::soon:
        return jiffies + 5;
    case to::next_block:
        return support::next_block_of(tickwheel_clock) + block_ticks;
    case to::others:
        return timers[request.timer == A ? B : A].expires;
    case to::tv3:
        return jiffies + turn_ticks + 3;
    case to::tv4:
        return jiffies + turn_of_tv3 + 3;
    case to::tv5:
        return jiffies + turn_of_tv4 + 3;
    case to::same:
        break;
    }
    return timers[request.timer].expires;
}

/// The results of a call.
struct result {
    uint64_t value;
    int returned;
};

/// The library's wheel, with the calls that c_wheel leaves out.
struct library_wheel : tickwheel::c_wheel {
    static void add_timer(timer_list *timer)
    {
        tickwheel_add_timer(timer);
    }
    static int timer_delete_sync(timer_list *timer)
    {
        return tickwheel_timer_delete_sync(timer);
    }
    static int timer_shutdown_sync(timer_list *timer)
    {
        return tickwheel_timer_shutdown_sync(timer);
    }
    static int tick()
    {
        return tickwheel_tick();
    }
    static int advance(uint32_t ticks)
    {
        return tickwheel_advance(ticks);
    }
    static unsigned run()
    {
        return tickwheel_run();
    }
    static unsigned run_budget(unsigned steps)
    {
        return tickwheel_run_budget(steps);
    }
    static int next_expiry(jiffies_t *expires)
    {
        return tickwheel_next_expiry(expires);
    }
};
inline library_wheel library;

template <class Wheel>
int count_ticks(Wheel &wheel, uint32_t ticks)
{
    return ticks == 1 ? wheel.tick() : wheel.advance(ticks);
}

/// Does a call on a timer. Returns what it does, or 0.
template <class Wheel>
int call_on_timer(Wheel &wheel, op what, timer_list *timer, jiffies_t expires)
{
    switch (what) {
    case op::mod:
        return wheel.mod_timer(timer, expires);
    case op::mod_pending:
        return wheel.mod_timer_pending(timer, expires);
    case op::mod_idle:
        return wheel.mod_timer_idle(timer, expires);
    case op::add:
        wheel.add_timer(timer);
        return 0;
    case op::reduce:
        return wheel.timer_reduce(timer, expires);
    case op::timer_delete:
        return wheel.timer_delete(timer);
    case op::try_to_del:
        return wheel.try_to_del_timer_sync(timer);
    case op::delete_sync:
        return wheel.timer_delete_sync(timer);
    case op::shutdown:
        return wheel.timer_shutdown(timer);
    case op::shutdown_sync:
        return wheel.timer_shutdown_sync(timer);
    case op::pending:
        return wheel.timer_pending(timer);
    default:
        return 0;
    }
}

/// The same call on a reference model. It is all that the wheel does in one step, or, of a synchronous shutdown, in
/// the second one.
template <class Model>
int step_of_contract(Model &contract, op what, unsigned timer, jiffies_t expires, int64_t clock)
{
    switch (what) {
    case op::mod:
        return contract.mod_timer(timer, expires, clock);
    case op::mod_pending:
        return contract.mod_timer_pending(timer, expires, clock);
    case op::mod_idle:
        return contract.mod_timer_idle(timer, expires, clock);
    case op::add:
        contract.add_timer(timer, clock);
        return 0;
    case op::reduce:
        return contract.timer_reduce(timer, expires, clock);
    case op::shutdown:
        contract.disable(timer);
        return contract.timer_delete(timer);
    case op::timer_delete:
        return contract.timer_delete(timer);
    case op::try_to_del:
    case op::delete_sync:
    case op::shutdown_sync:
        return contract.timer_delete_sync(timer);
    default:
        return 0;
    }
}

/// The value that next_expiry() leaves if it finds nothing.
constexpr jiffies_t untouched = 0x5EED;

template <class Wheel>
result call(Wheel &wheel, const operation &request, jiffies_t expires)
{
    jiffies_t tick = untouched;
    switch (request.what) {
    case op::advance:
        return {0, count_ticks(wheel, request.amount)};
    case op::advance_and_run: {
        const int due = count_ticks(wheel, request.amount);
        return {due != 0 ? wheel.run() : 0u, due};
    }
    case op::run:
        return {0, static_cast<int>(request.amount == everything ? wheel.run() : wheel.run_budget(request.amount))};
    case op::next_expiry: {
        const int found = wheel.next_expiry(&tick);
        return {tick, found};
    }
    case op::get_jiffies_64:
        return {wheel.get_jiffies_64(), 0};
    default:
        return {0, call_on_timer(wheel, request.what, &timers[request.timer], expires)};
    }
}

/// An idle timer may have been freed. Its link points into a circle, to catch a wheel that still follows it.
inline void spoil(timer_name timer)
{
    static timer_list circle;
    if (tickwheel_timer_pending(&timers[timer]) == 0) {
        timers[timer].next = circle.next = circle.prev = &circle;
    }
}

} // namespace races
