// SPDX-License-Identifier: MIT
// A lamp that changes twice a second. This firmware owns SysTick_Handler, as most
// do, and gives it one call.
#include <tickwheel/timer.hpp>

#include "../../boards/board.hpp"

struct lamp {
    static constexpr jiffies_t period = TICKWHEEL_HZ / 2;

    void toggle()
    {
        on = !on;
        board::led(on);
        // From the tick that has just come, not from now: no drift.
        blink.start_at(blink.expires() + period);
    }

    bool on = false;
    tickwheel::closure_timer<tickwheel::member<&lamp::toggle>> blink{this};
};

// The braces make it a constant: no constructor runs before main().
static lamp desk_lamp{};

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
}

int main()
{
    board::init();
    board::tick_start(TICKWHEEL_HZ);
    desk_lamp.blink.start_after_ticks(lamp::period);
    for (;;) {
        board::idle();
    }
}
