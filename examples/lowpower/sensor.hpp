// SPDX-License-Identifier: MIT
// Simulates a sensor. After the fifth reading it prints how the core slept, and ends
// the program. Both times that it prints are the sleep driver's, so they cannot show
// drift. `make soak-sleep` compares them with a second timer.
#pragma once

#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"

namespace sensor
{

inline unsigned readings;
inline uint32_t clock_hz;

inline void start(uint32_t its_clock_hz)
{
    clock_hz = its_clock_hz;
}

inline void read()
{
    if (++readings != 5) {
        return;
    }
    const struct tickwheel_sleeps slept = tickwheel_sleep_counts();
    print("readings ", readings, ", ticks ", jiffies - TICKWHEEL_INITIAL_JIFFIES, ", microseconds ");
    print(static_cast<uint32_t>(tickwheel_now_us()), ", wake-ups ", slept.sleeps, ", restarts ", slept.restarts,
          "\n");
    print("(a period of SysTick reaches ", (1u << 24) / (clock_hz / TICKWHEEL_HZ), " ticks)\n");
    board::exit(0);
}

} // namespace sensor
