// SPDX-License-Identifier: MIT
// The time of the second timer in 64 bits, its alarms in a row, and waiting, for silicon.cpp and time_of_day.cpp.
#pragma once

#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../support/random.hpp"
#include "second_timers/second_timer.hpp"

/// The clock of SysTick.
inline uint32_t clock_hz;

/// The number of some values, their sum, and the smallest and the largest.
struct samples {
    uint32_t count = 0;
    int64_t sum = 0;
    int64_t min = INT64_MAX;
    int64_t max = INT64_MIN;

    void add(int64_t value)
    {
        ++count;
        sum += value;
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
};

/// The time of the second timer. Call it at least once a wrap: the 32-bit counts wrap after seconds.
inline int64_t second_timer_ns()
{
    static int64_t counts;
    static uint32_t last_count;
    const masked all;
    const uint32_t count = second_timer::count();
    counts += count - last_count;
    last_count = count;
    return counts * second_timer::count_ns;
}

inline int64_t counts_to_ns(uint32_t counts, uint32_t hz)
{
    return static_cast<int64_t>(uint64_t{counts} * 1000000000 / hz);
}

inline void spend_ns(int64_t ns)
{
    for (const int64_t from = second_timer_ns(); second_timer_ns() - from < ns;) {
    }
}

/// Waits awake until an interrupt changes the word, a quarter of a second at least. @return false if none does
inline bool changes(const volatile uint32_t &word)
{
    const uint32_t before = word;
    for (uint32_t tries = clock_hz / 16; tries != 0 && word == before; --tries) {
    }
    return word != before;
}

inline uint32_t sixteen_counts_ns;

/// Calls second_timer::expire_after() for 10 us after the wrap that wakes the core.
inline void expire_at_wake()
{
    if (second_timer::expire_after != nullptr) {
        // The driver calls this masked. A division would be the longest part of its masked section.
        second_timer::expire_after(at(systick_value) / 16 * sixteen_counts_ns + 10000);
    }
}

/// The sum of tickwheel_ticks_passed().
inline volatile uint32_t ticks_reported;

/// Checks the start of the tick: calls before it, a boot loader's SysTick, priorities. Call it before any tick.
void check_start();

/// Checks tickwheel_now_us(), tickwheel_msleep() and a change of the clock. The tick runs, no alarm is set.
void check_time_of_day();

// Alarms in a row.

inline volatile uint32_t alarms;
/// An alarm sets itself again after one to two times this, unless it is 0.
inline volatile uint32_t apart_ns;
/// Each alarm calls this.
inline void (*on_alarm)();
inline uint32_t alarm_due;
/// How many counts the alarms wait.
inline samples latency;
inline random_numbers alarm_numbers;

inline void set_alarm()
{
    const uint32_t ns = apart_ns + (alarm_numbers.next() >> 8) % apart_ns;
    // It is due two counts sooner, because the alarm of an emulator may come a count early.
    alarm_due = second_timer::count() + ns / second_timer::count_ns - 2;
    second_timer::alarm_after(ns);
}

inline void start_alarms(uint32_t ns, void (*what)())
{
    latency = {};
    apart_ns = ns;
    on_alarm = what;
    set_alarm();
}

inline void stop_alarms()
{
    apart_ns = 0;
    (void)changes(alarms);
}
