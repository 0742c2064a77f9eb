// SPDX-License-Identifier: MIT
// A lamp that changes twice a second. This firmware has its own SysTick_Handler, as
// most firmware does, and calls the wheel from there.
#include <tickwheel/timer.hpp>

#include "../../boards/board.hpp"

struct lamp {
    static constexpr jiffies_t period = TICKWHEEL_HZ / 2;

    void toggle()
    {
        on = !on;
        board::led(on);
        // Counts from the tick that was due, not from now, so the lamp does not drift.
        blink.start_at(blink.expires() + period);
    }

    bool on = false;
    tickwheel::closure_timer<tickwheel::member<&lamp::toggle>> blink{this};
};

// The braces make the object a constant: no constructor runs before main().
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
