// SPDX-License-Identifier: MIT
// Shared by the scenarios of sleep.cpp: what the hooks have recorded, readings of tickwheel_now_us() compared with
// the board's second timer, and ways to wait.
#ifndef TICKWHEEL_TEST_BOARDS_SLEEP_HPP
#define TICKWHEEL_TEST_BOARDS_SLEEP_HPP

#include <tickwheel/systick.h>
#include <tickwheel/timer.hpp>

#include "frame.hpp"

constexpr uint32_t tick_us = 1000000 / TICKWHEEL_HZ;
static_assert(tick_us * TICKWHEEL_HZ == 1000000, "a tick has whole microseconds");
constexpr int64_t tick_ns = int64_t{tick_us} * 1000;

// The scenarios.

/// Everything that starts a tick: calls before it, a boot loader's SysTick, priorities. The tick runs afterwards.
void check_start();
void check_time_of_day();
/// Sleeps for so many seconds between random timers of up to 2^delay_bits ticks, with foreign interrupts or without.
void soak(bool foreign_comes, uint32_t seconds, unsigned delay_bits);
void check_clock_changes();
/// Reads sensors for so many ticks with a slack and without one, and compares how often the core wakes.
void compare_slack(jiffies_t ticks);

/// The clock of SysTick, and the clock that the library was given.
inline uint32_t counter_hz;
inline uint32_t clock_hz;
/// The sum of tickwheel_ticks_passed().
inline volatile uint32_t ticks_reported;
/// How much the emulator has rounded off up to now.
inline volatile uint32_t rounded_off_ns;
/// What the second timer's alarm does in this scenario, and how often it has come.
inline void (*on_alarm)();
inline volatile uint32_t alarms;
/// Errors: now_us that went back, ticks that were not reported.
inline uint32_t went_back;
inline uint32_t not_reported;

inline int64_t independent_now()
{
    return static_cast<int64_t>(independent_ns());
}

inline int64_t now_ns()
{
    return static_cast<int64_t>(tickwheel_now_us() * 1000);
}

/// The current tick, also while its edge waits for its handler.
inline jiffies_t tick_now()
{
    return TICKWHEEL_INITIAL_JIFFIES + static_cast<jiffies_t>(tickwheel_now_us() / tick_us);
}

/// Whether tickwheel_ticks_passed() has reported every tick of `jiffies`. This holds everywhere outside the library.
inline bool all_ticks_reported()
{
    const masked all;
    return jiffies - TICKWHEEL_INITIAL_JIFFIES == ticks_reported;
}

/// The shortest and the longest of some times.
struct extremes {
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;

    void add(int64_t ns)
    {
        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
};

/// The interval of the differences between now_us and the second timer that all readings allow. It becomes empty when
/// two readings contradict each other. Each reading is as wide as the time it takes and its microsecond.
struct difference {
    int64_t least = INT64_MIN;
    int64_t most = INT64_MAX;
    uint32_t readings = 0;
    uint32_t restarts = 0;

    bool fits() const
    {
        return least <= most;
    }
    void read()
    {
        allow(tickwheel_sleep_counts().restarts);
        const masked all;
        const int64_t before = independent_now();
        const int64_t read = now_ns() - static_cast<int64_t>(rounded_off_ns);
        const int64_t after = independent_now();
        const int64_t lower = read - after - independent::count_ns;
        const int64_t upper = read + 1000 - before + independent::count_ns;
        least = lower > least ? lower : least;
        most = upper < most ? upper : most;
        ++readings;
    }

private:
    /// Widens the interval by one count for each new restart, whose cost is known on average only.
    void allow(uint32_t restarts_now)
    {
        if (restarts_now != restarts) {
            const auto ns = static_cast<int64_t>(counts_to_ns(restarts_now - restarts, clock_hz) + 1);
            least -= ns;
            most += ns;
            restarts = restarts_now;
        }
    }
};
inline difference ahead;

/// Calls independent::expire_after() for 10 us after the edge that wakes the core.
inline void expire_at_wake()
{
    if (independent::expire_after != nullptr) {
        independent::expire_after(static_cast<uint32_t>(counts_to_ns(at(systick_value), counter_hz)) + 10000);
    }
}

inline void spend_us(uint32_t us)
{
    for (const uint64_t from = independent_ns(); independent_ns() - from < uint64_t{us} * 1000;) {
    }
}

/// Waits for the middle of a tick.
inline void leave_edge()
{
    while (tickwheel_now_us() % tick_us - tick_us / 4 > tick_us / 2) {
    }
}

#endif
