// SPDX-License-Identifier: MIT
// TIM2, TIM3 and TIM4 of the STM32F405 ("RM0090 Reference manual", chapter 18) as QEMU has
// them: at 1 GHz, all of 32 bits, and an update comes so many counts after its
// number was written to ARR, whatever the counter says.
#include "independent.hpp"

namespace
{

using independent::at;

constexpr uintptr_t clock_timer = 0x40000000;
constexpr uintptr_t alarm_timer = 0x40000400;
constexpr uintptr_t expiring_timer = 0x40000800;
constexpr uintptr_t control = 0x00;
constexpr uintptr_t interrupts = 0x0C;
constexpr uintptr_t status = 0x10;
constexpr uintptr_t counter = 0x24;
constexpr uintptr_t prescaler = 0x28;
constexpr uintptr_t reload = 0x2C;
constexpr uint32_t enable = 1;
constexpr uint32_t update = 1;

} // namespace

const uint32_t independent::count_ns = 1;
// A count has 5.952 ns. The emulator cuts the binary fraction of that off somewhere, so that a period of whole ticks
// ends just before its nanosecond, and is rounded down to the one before.
const uint32_t independent::rounded_off_ns = 1;

void independent::start()
{
    at(clock_timer + reload) = ~0u;
    at(clock_timer + control) = enable;
    constexpr uintptr_t others[] = {alarm_timer, expiring_timer};
    for (const uintptr_t timer : others) {
        at(timer + prescaler) = 1000 - 1;
        // The time since the emulator's start is what it adds to ARR: less this it is nothing.
        at(timer + counter) = count() / 1000;
        at(timer + control) = enable;
    }
    enable_interrupt(29);
}

uint32_t independent::count()
{
    return at(clock_timer + counter);
}

void independent::alarm_after(uint32_t ns)
{
    at(alarm_timer + interrupts) = update;
    at(alarm_timer + reload) = ns / 1000;
}

void independent::expire_after(uint32_t ns)
{
    at(expiring_timer + reload) = ns / 1000;
}

extern "C" void IRQ29_Handler();
void IRQ29_Handler()
{
    at(alarm_timer + interrupts) = 0;
    at(alarm_timer + status) = 0;
    independent_alarm();
}
