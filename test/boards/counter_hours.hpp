// SPDX-License-Identifier: MIT
// Half an hour of sleep by a counter that ticks. The counter itself says when each tick begins: every callback must
// run within its tick. It lasts several ticks, which must count on meanwhile. test/unit/counter_tick_host.cpp has
// random sleeps.
#ifndef TICKWHEEL_TEST_BOARDS_COUNTER_HOURS_HPP
#define TICKWHEEL_TEST_BOARDS_COUNTER_HOURS_HPP

#include <tickwheel/tickwheel.h>

#include "frame.hpp"

/// The ticks that have begun, by the counter.
uint64_t ticks_begun();
/// Whether a callback runs where it should.
void check_context();

inline unsigned callbacks;
inline bool in_callback;

inline void note(timer_list *timer)
{
    check_context();
    check(!in_callback, "callbacks do not nest");
    in_callback = true;
    const uint64_t now = ticks_begun();
    check(tickwheel_get_jiffies_64() == now, "jiffies is the tick that the counter has reached");
    check(static_cast<jiffies_t>(now) == timer->expires, "a callback runs in its tick");
    // Busy for 3 ticks and a part of one.
    while (ticks_begun() < now + 3) {
    }
    check(tickwheel_get_jiffies_64() == now + 3, "ticks count on during a callback");
    ++callbacks;
    (void)tickwheel_mod_timer(timer, jiffies + (1u << callbacks));
    in_callback = false;
}

/// Sleeps of 2, 4, 8 .. 2^20 ticks.
template <class Tick>
void sleep_for_half_an_hour(Tick &tick)
{
    static timer_list timer;
    tickwheel_timer_setup(&timer, note, 0);
    (void)tickwheel_mod_timer(&timer, jiffies + 1);
    uint32_t sleeps = 0;
    while (callbacks <= 20) {
        tick.idle();
        // A counter that wraps must be read in time.
        (void)ticks_begun();
        ++sleeps;
    }
    // Each callback ends a sleep, and so does each cascade and each half of the counter.
    print(callbacks, " callbacks, ", sleeps, " sleeps\n");
    check(sleeps < 6 * callbacks, "the core sleeps from timer to timer");
}

#endif
