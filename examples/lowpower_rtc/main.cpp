// SPDX-License-Identifier: MIT
// Like lowpower, on a chip that stops SysTick while it sleeps, the nRF52840. Its RTC1
// keeps counting at 32 768 Hz. 1024 ticks a second divide that; 1000 would work, too.
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/periodic_timer.hpp>

#include "../../boards/board.hpp"
#include "counter.hpp"

static tickwheel::counter_tick<counter> tick;
static bool lit;
static tickwheel::periodic_timer lamp{[] { board::led(lit = !lit); }};

// The interrupt of RTC1. The board gives it this name.
extern "C" void SysTick_Handler()
{
    counter::clear_alarm();
    tick.interrupt();
}

// A tick whose alarm waits behind the caller counts for "at least".
jiffies_t tickwheel_current_tick()
{
    return tick.current_tick();
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

int main()
{
    (void)board::init();
    lower_pendsv();
    counter::start();
    tick.start();
    lamp.start_after_ticks(TICKWHEEL_HZ / 2, 3 * TICKWHEEL_HZ);
    for (;;) {
        tick.idle();
    }
}
