// SPDX-License-Identifier: MIT
// Like lowpower, on a chip that stops SysTick while it sleeps, the nRF52840. Its RTC1
// keeps counting at 32 768 Hz. 1024 ticks a second divide that; 1000 would work, too.
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/periodic_timer.hpp>

#include "../../boards/board.hpp"
#include "../../boards/nrf52840dk/rtc1.hpp"

static constexpr uintptr_t interrupt_control = 0xE000ED04;
static constexpr uintptr_t handler_priorities_3 = 0xE000ED20;

struct counter : board::rtc1 {
    static uint32_t mask()
    {
        uint32_t state = 0;
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
        return state;
    }
    static void unmask(uint32_t state)
    {
        __asm__ volatile("msr primask, %0\n\tisb" ::"r"(state) : "memory");
    }
    static void wait_for_interrupt()
    {
        __asm__ volatile("dsb\n\twfi" ::: "memory");
    }
    static void pend_softirq()
    {
        parts::at(interrupt_control) = 1u << 28;
    }
    static void ticks_passed(uint32_t /*ticks*/)
    {
    }
};

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
    // Give PendSV the lowest priority.
    parts::at(handler_priorities_3) = parts::at(handler_priorities_3) | 0xFFu << 16;
    counter::start();
    tick.start();
    lamp.start_after_ticks(TICKWHEEL_HZ / 2, 3 * TICKWHEEL_HZ);
    for (;;) {
        tick.idle();
    }
}
