// SPDX-License-Identifier: MIT
// Each call, on the contract and on the wheel.
#ifndef TICKWHEEL_TEST_INTERLEAVINGS_CALLS_HPP
#define TICKWHEEL_TEST_INTERLEAVINGS_CALLS_HPP

#include <stdint.h>

#include <string>

#include "checker.hpp"

namespace interleavings
{

inline unsigned ticks_under_way;
/// Whether a word of the wheel has been touched with the lock open since the last point.
inline bool touched;

/// The first step of a synchronous shutdown. It is taken before the lock is closed.
inline void disable(const frame &is)
{
    point();
    contract.disable(is.what.timer);
}

inline void check_expiry(const frame &is, const result &seen)
{
    if (seen.returned && is.expected && seen.value != static_cast<jiffies_t>(is.expected_tick)) {
        fail("next_expiry says " + std::to_string(seen.value - static_cast<jiffies_t>(is.expected_tick)) +
             " too many");
    }
    if (!seen.returned && seen.value != untouched) {
        fail("next_expiry touches its argument");
    }
}

inline int advance_wheel(frame &is)
{
    point();
    ++ticks_under_way;
    is.expected = call(watched_wheel, is.what, 0).returned;
    --ticks_under_way;
    follow();
    if (!is.counted) {
        fail("the ticks are not counted");
    }
    if (is.expected == 0 && !contract.found_nothing()) {
        fail("advance says 0 and work is due");
    }
    point();
    return is.expected;
}

/// A call that reads one word, or two that fit.
inline int read_wheel(frame &is)
{
    point();
    const result seen = call(watched_wheel, is.what, 0);
    if (is.what.what == op::pending) {
        is.expected = contract.timer[is.what.timer].pending;
    } else if (seen.value != static_cast<uint64_t>(contract.now)) {
        fail("get_jiffies_64 is wrong");
    }
    point();
    return seen.returned;
}

inline int call_wheel(frame &is)
{
    const op what = is.what.what;
    if (what == op::advance) {
        return advance_wheel(is);
    }
    if (what == op::pending || what == op::get_jiffies_64) {
        return read_wheel(is);
    }
    if (what == op::shutdown_sync) {
        disable(is);
    }
    const result seen = call(watched_wheel, is.what, is.expires);
    if (what == op::run) {
        is.expected = static_cast<int>(is.ran);
    } else if (what == op::next_expiry) {
        check_expiry(is, seen);
    }
    return seen.returned;
}

/// The step of the contract when the call has closed the lock for the first time. Returns what the call must return.
inline int step_of_contract(frame &is)
{
    const timer_name timer = is.what.timer;
    const int64_t clock = timer_jiffies();
    switch (is.what.what) {
    case op::run:
        is.runs = !contract.running;
        contract.running = true;
        return 0;
    case op::mod:
        return contract.mod_timer(timer, is.expires, clock);
    case op::mod_pending:
        return contract.mod_timer_pending(timer, is.expires, clock);
    case op::mod_idle:
        return contract.mod_timer_idle(timer, is.expires, clock);
    case op::add:
        contract.add_timer(timer, clock);
        return 0;
    case op::reduce:
        return contract.timer_reduce(timer, is.expires, clock);
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

} // namespace interleavings

/// All that the call under way does before it next opens the lock is one step.
inline void races::step()
{
    using namespace interleavings;
    frame &is = *top;
    ++is.locks;
    if (is.what.what == op::next_expiry) {
        // Its answer is that of its last masked section.
        is.expected = contract.next_expiry(is.expected_tick);
    } else if (is.locks == 1) {
        is.expected = step_of_contract(is);
    } else if (is.runs && contract.taken != no_timer) {
        if (!called) {
            fail("a timer is taken and not called");
        }
        contract.taken = no_timer;
    }
}

/// A run only takes addresses before it has closed the lock.
inline void races::touch()
{
    using namespace interleavings;
    if (top->what.what != op::run || top->locks != 0) {
        if (touched) {
            point();
        }
        touched = true;
    }
}

#endif
