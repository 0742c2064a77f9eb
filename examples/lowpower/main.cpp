// SPDX-License-Identifier: MIT
// Reads a sensor every two seconds and blinks a lamp; the core sleeps between. The
// last lines show how often it woke, and how often SysTick was restarted. This example
// cannot show drift: the driver counts both the ticks and the microseconds.
// `make soak-sleep` compares them with a second timer.
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/systick.h>

#include "../print.hpp"

static unsigned readings;
static bool lit;

static tickwheel::periodic_timer sensor{[] { ++readings; }};
static tickwheel::periodic_timer lamp{[] { board::led(lit = !lit); }};

int main()
{
    const uint32_t clock_hz = board::init();
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    sensor.start_after_ticks(2 * TICKWHEEL_HZ, 2 * TICKWHEEL_HZ);
    lamp.start_after_ticks(TICKWHEEL_HZ / 2, 3 * TICKWHEEL_HZ);
    while (readings != 5) {
        tickwheel_idle();
    }
    const struct tickwheel_sleeps slept = tickwheel_sleep_counts();
    print("readings ", readings, ", ticks ", jiffies - TICKWHEEL_INITIAL_JIFFIES, ", microseconds ");
    print(static_cast<uint32_t>(tickwheel_now_us()), ", wake-ups ", slept.sleeps, ", restarts ", slept.restarts,
          "\n");
    print("(a period of SysTick reaches ", (1u << 24) / (clock_hz / TICKWHEEL_HZ), " ticks)\n");
    board::exit(0);
}
