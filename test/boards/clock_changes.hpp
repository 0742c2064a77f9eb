// SPDX-License-Identifier: MIT
// tickwheel_clock_changed(), compared with the board's second timer. SysTick itself
// keeps its clock: with half the frequency given to the library, ticks last half as long.
#ifndef TICKWHEEL_TEST_BOARDS_CLOCK_CHANGES_HPP
#define TICKWHEEL_TEST_BOARDS_CLOCK_CHANGES_HPP

#include "readings.hpp"

/// Waits for the next edge. @return its time by the second timer
inline int64_t next_edge()
{
    for (const jiffies_t tick = jiffies; jiffies == tick;) {
    }
    return independent_now();
}

inline bool within(int64_t value, int64_t wanted, int64_t allowed)
{
    return value - wanted <= allowed && wanted - value <= allowed;
}

/// A tick lasts parts / of_parts of its usual length after the change.
inline void change_clock(uint32_t to_hz, int64_t parts, int64_t of_parts)
{
    const uint32_t from_hz = clock_hz;
    bool scaled = true;
    bool steady = true;
    for (unsigned time = 0; time < 5; ++time) {
        if (time != 0) {
            scaled = tickwheel_clock_changed(from_hz) == 0 && scaled;
            clock_hz = from_hz;
            (void)next_edge();
        }
        leave_edge();
        spend_us(time * 25);
        const int64_t first = independent_now();
        const int64_t before = now_ns();
        scaled = tickwheel_clock_changed(to_hz) == 0 && scaled;
        clock_hz = to_hz;
        const int64_t second = independent_now();
        const int64_t after = now_ns();
        const int64_t third = independent_now();
        // The library's time passes twice as fast at the slower of the two clocks.
        steady = steady && after - before >= second - first - 2000 && after - before <= 2 * (third - first) + 2000;
        const int64_t left = (tick_ns - after % tick_ns) * parts / of_parts;
        const int64_t edge = next_edge() - third;
        // `after` was read between `second` and `third`. The handler and the read of jiffies follow the edge.
        scaled = edge >= left - (third - second) - 2000 && edge <= left + 10000 && scaled;
        steady = steady && all_ticks_reported();
    }
    check(scaled, "a clock change scales the rest of the tick");
    check(steady, "now_us and jiffies do not jump at a clock change");
}

/// Compares 200 ticks awake and 200 ticks asleep with this length.
inline void check_tick_length(int64_t length)
{
    const int64_t from = next_edge();
    const jiffies_t first = jiffies;
    while (jiffies - first != 200) {
    }
    const int64_t awake = independent_now() - from;
    tickwheel_sleep(199);
    const int64_t both = independent_now() - from;
    const jiffies_t ticks = jiffies - first;
    print("    ", clock_hz, " Hz: 200 ticks in ", awake, " ns, with sleep ", ticks, " in ", both, "\n");
    // expire_at_wake() delays the wake-up by 10 us.
    constexpr int64_t latency = 20000;
    check(within(awake, 200 * length, latency), "ticks have the new length");
    check(ticks == 400 && within(both, 400 * length, latency), "ticks have the new length during sleep");
}

inline void change_in_a_long_period()
{
    wake_within_a_long_period();
    const jiffies_t left = far_timer.expires - jiffies;
    leave_edge();
    const auto before_us = static_cast<int64_t>(tickwheel_now_us());
    const int64_t from = independent_now();
    const bool changed = tickwheel_clock_changed(counter_hz / 2) == 0;
    clock_hz = counter_hz / 2;
    expire_at_wake();
    while (tickwheel_timer_pending(&far_timer) != 0) {
        tickwheel_idle();
    }
    const int64_t lasted = independent_now() - from;
    const int64_t wanted = ((left - 1) * tick_ns + (tick_us - before_us % tick_us) * 1000) / 2;
    print("    within a long period: ", left, " ticks of half the length in ", lasted, " ns, wanted ", wanted, "\n");
    // Both readings of the second timer may be a count old.
    check(changed && left > 60 && within(lasted, wanted, 60000 + 2 * independent::count_ns),
          "the clock can change within a long period");
    check(late_ticks == 0, "a timer fires in its tick after a clock change");
    check(tickwheel_clock_changed(counter_hz) == 0, "the clock can change back");
    clock_hz = counter_hz;
}

#endif
