// SPDX-License-Identifier: MIT
// The timer of the RP2040, which counts microseconds, and one of its alarms ("RP2040 Datasheet", 4.6). The watchdog's
// tick generator feeds it.
#include "second_timer.hpp"

namespace
{

constexpr uintptr_t resets_clear = 0x4000F000;
constexpr uint32_t timer_reset = 1u << 21;
constexpr uintptr_t tick_generator = 0x4005802C;
constexpr uint32_t enable_each_12_cycles = 1u << 9 | 12;

constexpr uintptr_t timer = 0x40054000;
constexpr uintptr_t alarm = timer + 0x10;
constexpr uintptr_t raw_low = timer + 0x28;
constexpr uintptr_t raised = timer + 0x34;
constexpr uintptr_t interrupt_enable = timer + 0x38;

} // namespace

const uint32_t second_timer::count_ns = 1000;

void second_timer::start()
{
    at(resets_clear) = timer_reset;
    at(tick_generator) = enable_each_12_cycles;
    at(interrupt_enable) = 1;
    enable_interrupt(0, 0);
}

uint32_t second_timer::count()
{
    return at(raw_low);
}

void second_timer::alarm_after(uint32_t ns)
{
    at(alarm) = count() + ns / 1000;
}

extern "C" void IRQ0_Handler()
{
    at(raised) = 1;
    second_timer_alarm();
}
