// SPDX-License-Identifier: MIT
// CMSDK TIMER0, which counts down at 25 MHz, and both halves of the dual timer ("Cortex-M System Design Kit",
// chapters 4.2 and 4.3).
#include "second_timer.hpp"

namespace
{

constexpr uintptr_t clock_timer = 0x40000000;
constexpr uintptr_t clock_control = 0x00;
constexpr uintptr_t clock_value = 0x04;
constexpr uintptr_t clock_reload = 0x08;
constexpr uint32_t clock_enable = 1;

constexpr uintptr_t alarm_timer = 0x40002000;
constexpr uintptr_t expiring_timer = 0x40002020;
constexpr uintptr_t load = 0x00;
constexpr uintptr_t control = 0x08;
constexpr uintptr_t interrupt_clear = 0x0C;
constexpr uint32_t enable_32_bits_once = 0x83;
constexpr uint32_t interrupt = 0x20;

} // namespace

const uint32_t second_timer::count_ns = 40;

void second_timer::start()
{
    at(clock_timer + clock_reload) = ~0u;
    at(clock_timer + clock_value) = ~0u;
    at(clock_timer + clock_control) = clock_enable;
    enable_interrupt(10, 0);
}

uint32_t second_timer::count()
{
    return ~at(clock_timer + clock_value);
}

void second_timer::alarm_after(uint32_t ns)
{
    at(alarm_timer + control) = 0;
    at(alarm_timer + load) = ns / 40;
    at(alarm_timer + control) = enable_32_bits_once | interrupt;
}

void second_timer::expire_after(uint32_t ns)
{
    at(expiring_timer + control) = 0;
    at(expiring_timer + load) = ns / 40;
    at(expiring_timer + control) = enable_32_bits_once;
}

extern "C" void IRQ10_Handler()
{
    at(alarm_timer + interrupt_clear) = 1;
    second_timer_alarm();
}
