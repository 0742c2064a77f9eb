// SPDX-License-Identifier: MIT
// TIM2, TIM3 and TIM4 of the STM32F405 ("RM0090 Reference manual", chapter 18) as QEMU models
// them: each has 32 bits and counts at 1 GHz. An update comes ARR counts after the write
// to ARR, whatever the counter says.
#include "independent.hpp"

namespace
{

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
// A count lasts 5.952 ns. The emulator truncates its binary fraction. A period of whole ticks then ends just before
// its nanosecond and is rounded down to the one before.
const uint32_t independent::rounded_off_ns = 1;

void independent::start()
{
    at(clock_timer + reload) = ~0u;
    at(clock_timer + control) = enable;
    constexpr uintptr_t others[] = {alarm_timer, expiring_timer};
    for (const uintptr_t timer : others) {
        at(timer + prescaler) = 1000 - 1;
        // The emulator adds the time since its start to ARR. CNT is subtracted, so this write removes that time.
        at(timer + counter) = count() / 1000;
        at(timer + control) = enable;
    }
    enable_interrupt(29, 0);
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

extern "C" void IRQ29_Handler()
{
    at(alarm_timer + interrupts) = 0;
    at(alarm_timer + status) = 0;
    independent_alarm();
}
