// SPDX-License-Identifier: MIT
// The default wheel with a lock and a storage that see every point, and each call: on the contract and on the wheel.
#ifndef TICKWHEEL_TEST_INTERLEAVINGS_CALLS_HPP
#define TICKWHEEL_TEST_INTERLEAVINGS_CALLS_HPP

#include <stdint.h>

#include <string>

#include "checker.hpp"
#include <tickwheel/wheel.hpp>

namespace interleavings
{

inline unsigned ticks_under_way;
/// Whether a word of the wheel has been touched with the lock open since the last point.
inline bool touched;

void step();
void point();

struct watched_lock {
    static uint32_t irq_save()
    {
        if (tickwheel::interrupts.depth == 0) {
            point();
        }
        const uint32_t state = tickwheel::port_lock::irq_save();
        if (state == 0) {
            step();
        }
        return state;
    }
    static void irq_restore(uint32_t state)
    {
        // Calls point().
        tickwheel::port_lock::irq_restore(state);
    }
    static void irq_mask()
    {
        (void)irq_save();
    }
    static void preemption_point(uint32_t state)
    {
        tickwheel::port_lock::preemption_point(state);
        if (state == 0) {
            step();
        }
    }
};

/// A word of the wheel is about to be touched. A run only takes addresses before it has closed the lock.
inline void touch()
{
    if (tickwheel::interrupts.depth == 0 && !(top->what.what == op::run && top->locks == 0)) {
        if (touched) {
            point();
        }
        touched = true;
    }
}

struct watched_storage {
    static tickwheel::wheel_clock &clock()
    {
        touch();
        return tickwheel_clock;
    }
    static tickwheel::slots_of<support::geometry> &slots()
    {
        touch();
        return tickwheel_slots;
    }
};

using watched_wheel = tickwheel::wheel<watched_lock, support::geometry, watched_storage>;
inline watched_wheel wheel;

/// An idle timer may have been freed. Its link is led in a circle, to catch a wheel that still follows it.
inline void spoil(unsigned timer)
{
    static timer_list circle = {&circle, &circle, nullptr, 0, 0, 0, 0};
    if (!contract.timer[timer].pending) {
        timers[timer].next = &circle;
    }
}

inline int add_timer(frame &is)
{
    timers[is.what.timer].expires = contract.timer[is.what.timer].expires = is.expires;
    wheel.add_timer(&timers[is.what.timer]);
    return 0;
}

/// The first step of a shutdown.
inline void disable(const frame &is)
{
    point();
    contract.disable(is.what.timer);
}

inline int run_wheel(frame &is)
{
    const int ran = static_cast<int>(wheel.run_budget(is.what.amount));
    is.expected = static_cast<int>(is.ran);
    return ran;
}

inline int next_expiry(frame &is)
{
    constexpr jiffies_t untouched = 0x5EED;
    jiffies_t tick = untouched;
    const int found = wheel.next_expiry(&tick);
    if (!found && tick != untouched) {
        fail("next_expiry touches its argument");
    }
    if (found && is.expected && tick != static_cast<jiffies_t>(is.expected_tick)) {
        fail("next_expiry says " + std::to_string(tick - static_cast<jiffies_t>(is.expected_tick)) + " too many");
    }
    return found;
}

inline int advance_wheel(frame &is)
{
    point();
    ++ticks_under_way;
    const int said = wheel.advance(is.what.amount);
    --ticks_under_way;
    follow();
    if (!is.counted) {
        fail("the ticks are not counted");
    }
    if (said == 0 && !contract.found_nothing()) {
        fail("advance says 0 and work is due");
    }
    point();
    is.expected = said;
    return said;
}

inline int call_wheel(frame &is)
{
    timer_list *const timer = &timers[is.what.timer];
    switch (is.what.what) {
    case op::mod:
        return wheel.mod_timer(timer, is.expires);
    case op::mod_pending:
        return wheel.mod_timer_pending(timer, is.expires);
    case op::add:
        return add_timer(is);
    case op::reduce:
        return wheel.timer_reduce(timer, is.expires);
    case op::remove:
        return wheel.timer_delete(timer);
    case op::try_to_remove:
        return wheel.try_to_del_timer_sync(timer);
    case op::delete_sync:
        return wheel.timer_delete_sync(timer);
    case op::shutdown:
        disable(is);
        return wheel.timer_shutdown(timer);
    case op::shutdown_sync:
        disable(is);
        return wheel.timer_shutdown_sync(timer);
    case op::run:
        return run_wheel(is);
    case op::advance:
        return advance_wheel(is);
    case op::next_expiry:
        return next_expiry(is);
    default:
        return 0;
    }
}

/// The step of the contract, taken when the call has closed the lock for the first time. Returns what the call must.
inline int contracted(frame &is)
{
    if (is.what.what == op::run) {
        is.runs = !contract.running;
        contract.running = true;
    }
    return races::specify(contract, is.what.what, {nullptr, is.what.timer, is.expires, 0, 0}, timer_jiffies());
}

/// The lock has just been closed: what the call under way does before it is opened next is one step.
inline void step()
{
    frame &is = *top;
    ++is.locks;
    if (is.what.what == op::next_expiry) {
        // It answers for the last time that it looked.
        is.expected = contract.next_expiry(is.expected_tick);
    } else if (is.locks == 1) {
        is.expected = contracted(is);
    } else if (is.runs && contract.taken != no_timer) {
        if (!called) {
            fail("a timer is taken and not called");
        }
        contract.taken = no_timer;
    }
}

} // namespace interleavings

#endif
