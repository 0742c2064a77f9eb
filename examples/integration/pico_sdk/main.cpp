// SPDX-License-Identifier: MIT
// A lamp that blinks every 500 ms, and a door that is open for too long after 1200 ms. tickwheel has SysTick and
// PendSV, and sleeps. The exit code is 1 if a callback came in a wrong tick.
#include <stdio.h>

#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/systick.h>

#include "hardware/clocks.h"
#include "pico/stdlib.h"

namespace
{

bool wrong = false;
volatile bool is_open = false;

void expect_tick(jiffies_t tick)
{
    wrong = wrong || jiffies - TICKWHEEL_INITIAL_JIFFIES != tick;
}

tickwheel::periodic_timer lamp{[] {
    static jiffies_t tick = 0;
    tick += tickwheel_msecs_to_jiffies(500);
    expect_tick(tick);
    puts("lamp");
}};

struct door {
    void open()
    {
        is_open = true;
        too_long.start_after_ticks(tickwheel_msecs_to_jiffies(1200));
    }
    void close()
    {
        expect_tick(tickwheel_msecs_to_jiffies(1200));
        puts("the door is open for too long");
        is_open = false;
    }
    tickwheel::closure_timer<tickwheel::member<&door::close>> too_long{this};
};

door front{};

} // namespace

int main()
{
    stdio_init_all();
    if (tickwheel_systick_start(clock_get_hz(clk_sys)) != 0) {
        return 1;
    }
    front.open();
    lamp.start_after_ticks(tickwheel_msecs_to_jiffies(500), tickwheel_msecs_to_jiffies(500));
    while (is_open) {
        tickwheel_idle();
    }
    return wrong ? 1 : 0;
}
