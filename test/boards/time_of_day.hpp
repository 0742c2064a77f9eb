// SPDX-License-Identifier: MIT
#ifndef TICKWHEEL_TEST_BOARDS_TIME_OF_DAY_HPP
#define TICKWHEEL_TEST_BOARDS_TIME_OF_DAY_HPP

#include <stdint.h>

/// The sum of tickwheel_ticks_passed().
inline volatile uint32_t ticks_reported;

/// Checks the start of the tick: calls before it, a boot loader's SysTick, priorities. Call it before any tick.
void check_start();

/// Checks tickwheel_now_us(), tickwheel_msleep() and a change of the clock. The tick runs, no alarm is set.
void check_time_of_day();

#endif
