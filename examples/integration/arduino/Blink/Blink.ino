// SPDX-License-Identifier: MIT
// Toggles the lamp every 500 ms. The core's millis() is the clock and callbacks run in loop(), so this needs no interrupt and
// works on every core. The first tick is at the first loop().
#include <tickwheel.h>

static tickwheel::periodic_timer lamp{[] { digitalWrite(LED_BUILTIN, digitalRead(LED_BUILTIN) == LOW ? HIGH : LOW); }};
static uint32_t last;

void setup()
{
    pinMode(LED_BUILTIN, OUTPUT);
    lamp.start_after_ticks(1, tickwheel_msecs_to_jiffies(500));
    last = millis();
}

void loop()
{
    const uint32_t now = millis();
    if (tickwheel_advance(now - last)) { // a tick is a millisecond
        tickwheel_run();
    }
    last = now;
}
