// SPDX-License-Identifier: MIT
// Simulates a sensor whose cable comes off, a flash memory, and the reset.
#ifndef WATCHDOG_DEVICES_HPP
#define WATCHDOG_DEVICES_HPP

#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"

inline uint32_t milliseconds()
{
    return tickwheel_jiffies_to_msecs(jiffies - TICKWHEEL_INITIAL_JIFFIES);
}

inline bool sensor_answers()
{
    return milliseconds() < 3500;
}

/// The core waits until the flash is erased.
inline void erase_flash()
{
    print(milliseconds(), " ms: storing\n");
    const jiffies_t erased = jiffies + tickwheel_msecs_to_jiffies(120);
    while (tickwheel_time_before(jiffies, erased)) {
    }
}

/// The main loop hangs, so nothing else prints. Your firmware stores the name where it survives a reset, then calls
/// NVIC_SystemReset().
[[noreturn]] inline void reset_because_of(const char *task)
{
    print(milliseconds(), " ms: reset, no life in task ", task, "\n");
    board::exit(0);
}

#endif
