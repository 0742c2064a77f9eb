// SPDX-License-Identifier: MIT
// Each call, on the contract and on the wheel.
#pragma once

#include <stdint.h>

#include <string>

#include "checker.hpp"

namespace interleavings
{

inline unsigned ticks_under_way;
/// Whether a word of the wheel has been touched with the lock open since the last point.
inline bool touched;

/// The first step of a synchronous shutdown. It is taken before the lock is closed.
inline void disable(const frame &current)
{
    point();
    contract.disable(current.what.timer);
}

inline void check_expiry(const frame &current, const result &seen)
{
    if (seen.returned && current.expected && seen.value != static_cast<jiffies_t>(current.expected_tick)) {
        fail("next_expiry says " + std::to_string(seen.value - static_cast<jiffies_t>(current.expected_tick)) +
             " too many");
    }
    if (!seen.returned && seen.value != untouched) {
        fail("next_expiry touches its argument");
    }
}

inline int advance_wheel(frame &current)
{
    point();
    ++ticks_under_way;
    current.expected = call(watched_wheel, current.what, 0).returned;
    --ticks_under_way;
    follow();
    if (!current.counted) {
        fail("the ticks are not counted");
    }
    if (current.expected == 0 && !contract.found_nothing()) {
        fail("advance says 0 and work is due");
    }
    point();
    return current.expected;
}

/// A call that reads one word, or two that fit.
inline int read_wheel(frame &current)
{
    point();
    const result seen = call(watched_wheel, current.what, 0);
    if (current.what.what == op::pending) {
        current.expected = contract.timer[current.what.timer].pending;
    } else if (seen.value != static_cast<uint64_t>(contract.now)) {
        fail("get_jiffies_64 is wrong");
    }
    point();
    return seen.returned;
}

inline int call_wheel(frame &current)
{
    const op what = current.what.what;
    if (what == op::advance) {
        return advance_wheel(current);
    }
    if (what == op::pending || what == op::get_jiffies_64) {
        return read_wheel(current);
    }
    if (what == op::shutdown_sync) {
        disable(current);
    }
    const result seen = call(watched_wheel, current.what, current.expires);
    if (what == op::run) {
        current.expected = static_cast<int>(current.ran);
    } else if (what == op::next_expiry) {
        check_expiry(current, seen);
    }
    return seen.returned;
}

/// The step of the contract when the call has closed the lock for the first time. Returns what the call must return.
inline int first_step(frame &current)
{
    if (current.what.what == op::run) {
        current.runs = !contract.running;
        contract.running = true;
    }
    return step_of_contract(contract, current.what.what, current.what.timer, current.expires, timer_jiffies());
}

} // namespace interleavings

/// All that the call under way does before it next opens the lock is one step.
inline void races::step()
{
    using namespace interleavings;
    frame &current = *top;
    ++current.locks;
    if (current.what.what == op::next_expiry) {
        // Its answer is that of its last masked section.
        current.expected = contract.next_expiry(current.expected_tick);
    } else if (current.locks == 1) {
        current.expected = first_step(current);
    } else if (current.runs && contract.taken != no_timer) {
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
