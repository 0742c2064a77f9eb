// SPDX-License-Identifier: MIT
// The operations of the sweep: a call of the wheel with its argument, and how the specification does it.
#ifndef TICKWHEEL_TEST_SWEEP_OPERATIONS_HPP
#define TICKWHEEL_TEST_SWEEP_OPERATIONS_HPP

#include "../calls.hpp"
#include "specification.hpp"

namespace sweep
{

using races::op;
using races::request;
using races::result;
using races::takes_a_timer;

/// One call. The argument is an expiry, relative to the scenario's `now`, or a number of ticks, or a budget.
struct call {
    op what = op::nothing;
    timer_name whom = the_same;
    int32_t argument = 0;
};
constexpr unsigned most_calls = 2;

/// Lets the specification do a call.
inline int specify_call(specification &is, op what, const request &r, int64_t clock, result &done)
{
    switch (what) {
    case op::tick:
        is.count_ticks(1, done.due);
        return done.due;
    case op::advance_and_run:
        is.count_ticks(r.argument, done.due);
        return done.due != 0 ? static_cast<int>(is.run()) : 0;
    case op::run:
        return static_cast<int>(is.run());
    case op::run_budget:
        return static_cast<int>(is.run_budget(r.argument, static_cast<unsigned>(done.returned)));
    case op::next_expiry:
        return is.next_tick(done.value);
    case op::count_64:
        done.value = static_cast<uint64_t>(is.now);
        return 0;
    default:
        return races::specify(is, what, r, clock);
    }
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
