// SPDX-License-Identifier: MIT
// Sleep and time on an emulated board, measured by a timer that is independent of SysTick. Without an argument the
// program checks the start, the time of day, two minutes of sleep and a change of the clock. With a number it sleeps
// for so many hours without foreign interrupts, and for as many with them.
#include "sleep.hpp"

#include "../support/command_line.hpp"

void tickwheel_ticks_passed(uint32_t ticks)
{
    static uint32_t restarts_before;
    const uint32_t restarts = tickwheel_sleep_counts().restarts;
    ticks_reported = ticks_reported + ticks;
    // A restart counts ticks between two edges.
    rounded_off_ns = rounded_off_ns + (restarts == restarts_before ? independent::rounded_off_ns : 0);
    restarts_before = restarts;
    // The 32-bit counts of the second timer may wrap every four seconds.
    (void)independent_ns();
    expire_at_wake();
}

void independent_alarm()
{
    alarms = alarms + 1;
    not_reported += !all_ticks_reported();
    expire_at_wake();
    on_alarm();
}

int main()
{
    counter_hz = board::init();
    clock_hz = counter_hz;
    independent::start();
    const uint32_t hours = number_from_command_line();
    if (hours == 0) {
        check_start();
        check_time_of_day();
        soak(true, 120, 10);
        check_clock_changes();
    } else {
        if (tickwheel_systick_start(clock_hz) != 0) {
            board::exit(1);
        }
        soak(false, hours * 3600, 16);
        soak(true, hours * 3600, 16);
        compare_slack(hours * 600 * TICKWHEEL_HZ);
    }
    end_checks();
}
