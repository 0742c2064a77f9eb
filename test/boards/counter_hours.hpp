// SPDX-License-Identifier: MIT
// Hours of sleep by a counter that ticks. The counter itself says when each tick begins: every callback must run
// within its tick. Some callbacks last several ticks, which must count on meanwhile.
#ifndef TICKWHEEL_TEST_BOARDS_COUNTER_HOURS_HPP
#define TICKWHEEL_TEST_BOARDS_COUNTER_HOURS_HPP

#include <tickwheel/tickwheel.h>

#include "../support/random.hpp"
#include "frame.hpp"

/// The ticks that have begun, by the counter.
uint64_t ticks_begun();
/// Whether a callback runs where it should.
void check_context();

inline random_numbers numbers;
inline timer_list timers[8];
inline unsigned callbacks;
inline bool in_callback;
inline uint64_t busy_until;

inline void note(timer_list *timer)
{
    check_context();
    check(!in_callback, "callbacks do not nest");
    in_callback = true;
    const uint64_t now = ticks_begun();
    check(tickwheel_get_jiffies_64() == now, "jiffies is the tick that the counter has reached");
    check(static_cast<jiffies_t>(now) == timer->expires || now <= busy_until, "a callback runs in its tick");
    ++callbacks;
    const uint32_t which = numbers.below(16);
    if (which == 0) {
        // Busy for 3 ticks and a part of one.
        while (ticks_begun() < now + 3) {
        }
        check(tickwheel_get_jiffies_64() == now + 3, "ticks count on during a callback");
        busy_until = now + 4;
    }
    const uint32_t longest = which < 8 ? 4 : which < 14 ? 4096 : 1u << 18;
    (void)tickwheel_mod_timer(timer, jiffies + 1 + (numbers.next() >> 8) % longest);
    in_callback = false;
}

template <class Tick>
void sleep_for_hours(Tick &tick, uint32_t hours)
{
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, note, 0);
        (void)tickwheel_mod_timer(&timer, jiffies + 1);
    }
    uint32_t sleeps = 0;
    while (tickwheel_get_jiffies_64() - TICKWHEEL_INITIAL_JIFFIES < uint64_t{3600} * TICKWHEEL_HZ * hours) {
        tick.idle();
        // A counter that wraps must be read in time.
        (void)ticks_begun();
        ++sleeps;
    }
    // Each callback ends a sleep, and so does each cascade and each half of the counter.
    print(callbacks, " callbacks, ", sleeps, " sleeps\n");
    check(callbacks > 1000 && sleeps < 4 * callbacks, "the core sleeps from timer to timer");
}

#endif
