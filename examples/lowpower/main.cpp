// SPDX-License-Identifier: MIT
// Reads a sensor every two seconds and blinks a lamp. The core sleeps from timer to
// timer.
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/systick.h>

#include "sensor.hpp"

static bool lit;

static tickwheel::periodic_timer reading{[] { sensor::read(); }};
static tickwheel::periodic_timer lamp{[] { board::led(lit = !lit); }};

int main()
{
    const uint32_t clock_hz = board::init();
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    sensor::start(clock_hz);
    reading.start_after_ticks(2 * TICKWHEEL_HZ, 2 * TICKWHEEL_HZ);
    lamp.start_after_ticks(TICKWHEEL_HZ / 2, 3 * TICKWHEEL_HZ);
    for (;;) {
        tickwheel_idle();
    }
}
