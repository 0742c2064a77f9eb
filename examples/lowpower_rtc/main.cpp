// SPDX-License-Identifier: MIT
// Like lowpower, on a chip that stops SysTick while it sleeps, the nRF52840. Its RTC1 keeps counting at 32 768 Hz,
// and each count is a tick of a wheel in one-shot mode. The only interrupts are those of the lamp. NOT RUN ON
// HARDWARE.
#include <tickwheel/one_shot.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>

#include "../../boards/board.hpp"
#include "../../boards/nrf52840dk/rtc1.hpp"

struct counter : board::rtc1 {
    static void pend_alarm()
    {
        constexpr uintptr_t interrupt_set_pending = 0xE000E200;
        parts::at(interrupt_set_pending) = 1u << 17;
    }
};

static tickwheel::one_shot_wheel<counter, tickwheel::port_lock> wheel;

static void toggle()
{
    static bool lit;
    board::led(lit = !lit);
}
static tickwheel::periodic_timer<void (*)(), tickwheel::missed_periods::skip, wheel> lamp{toggle};

// The interrupt of RTC1. The board gives it this name.
extern "C" void SysTick_Handler()
{
    counter::clear_alarm();
    (void)wheel.interrupt();
}

int main()
{
    (void)board::init();
    counter::start();
    wheel.start();
    lamp.start_after_ticks(counter::hz / 2, 3 * counter::hz);
    for (;;) {
        board::idle();
    }
}
