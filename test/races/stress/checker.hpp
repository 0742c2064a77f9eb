// SPDX-License-Identifier: MIT
// The checks while no context is in the wheel: its lists, and the sums of what the
// calls returned. These sums are exact however the calls were interrupted.
#ifndef TICKWHEEL_TEST_STRESS_CHECKER_HPP
#define TICKWHEEL_TEST_STRESS_CHECKER_HPP

#include "../../support/walker.hpp"
#include "operations.hpp"

namespace stress
{

inline void end_stretch()
{
    ++*(stretch_failed ? &failed : &passed);
    stretch_failed = false;
}

inline void check_sums()
{
    const support::walk seen = support::walk_wheel(true);
    check(seen.found == support::no_fault, "the wheel has the fault of this number",
          static_cast<unsigned>(seen.found));
    uint32_t pending = 0;
    for (unsigned i = 0; i < timer_count; ++i) {
        uint16_t balance = 0;
        for (const state &each : states) {
            balance = static_cast<uint16_t>(balance + each.balance[i]);
        }
        const unsigned is_pending = static_cast<unsigned>(tickwheel_timer_pending(&timers[i]));
        check(balance == is_pending, "armed is not cancelled + fired + pending", i);
        pending += is_pending;
    }
    for (unsigned i = 0; i < watched_count; ++i) {
        watched.agree(i);
        check(!watched.popped[i], "was never called", common_count + i);
    }
    uint32_t sum = pending;
    for (const state &each : states) {
        sum += each.fired + each.cancelled - each.armed;
    }
    check(sum == 0, "the sum of armed is not cancelled + fired + pending");
    check(seen.timers == pending, "the wheel does not hold exactly the pending timers");
}

/// @return the ticks to the earliest timer, ~0 without one
inline uint32_t distance_to_earliest(bool deferrable_too)
{
    uint32_t nearest = ~0u;
    for (const timer_list &timer : timers) {
        if (tickwheel_timer_pending(&timer) && (deferrable_too || !timer.deferrable)) {
            const uint32_t distance = timer.expires - jiffies;
            nearest = distance < nearest ? distance : nearest;
        }
    }
    return nearest;
}

inline void pass(uint32_t ticks)
{
    counted += ticks;
    (void)tickwheel_advance(ticks);
    (void)run_wheel(states[main_loop], true);
}

/// Runs all that is due. Overdue timers have fired after one more tick.
inline void settle()
{
    calm = true;
    (void)run_wheel(states[main_loop], true);
    pass(1);
    for (unsigned i = 0; i < timer_count; ++i) {
        check(!tickwheel_timer_pending(&timers[i]) || before(jiffies, timers[i].expires), "did not fire in its tick",
              i);
    }
    jiffies_t earliest = 0;
    const int found = tickwheel_next_expiry(&earliest);
    const uint32_t distance = distance_to_earliest(false);
    check(found == (distance != ~0u) && (found == 0 || earliest - jiffies == distance), "next_expiry is wrong");
    calm = false;
}

/// Keeps all contexts but the main loop out of the wheel, and checks everything.
inline void stand_still()
{
    const alone now;
    check_sums();
    settle();
    check_sums();
    end_stretch();
}

/// Runs all timers that are left, in the order of their ticks.
inline void drain()
{
    settle();
    calm = true;
    draining = true;
    for (uint32_t distance = distance_to_earliest(true); distance != ~0u; distance = distance_to_earliest(true)) {
        pass(distance);
        const uint32_t left = distance_to_earliest(true);
        check(left != 0 && (left == ~0u || left < 0x80000000u), "did not fire in its tick");
        if (stretch_failed) {
            break;
        }
    }
    check_sums();
    check(support::walk_wheel(true).timers == 0, "not empty at the end");
    end_stretch();
}

/// Call this between two operations of the main loop.
inline void check_nothing_is_lost()
{
    const alone now;
    check(owed || before(jiffies, tickwheel_clock.next_run), "work is due, and nobody will do it");
}

} // namespace stress

#endif
