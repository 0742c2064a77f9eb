// SPDX-License-Identifier: MIT
// TIM2, TIM3 and TIM4 of the STM32F100, with 16 bits each, at 24 MHz ("RM0041 Reference manual", chapter TIM2 to
// TIM5). TIM2 counts at 8 MHz, and TIM3 counts its wraps. NOT RUN ON HARDWARE. QEMU has none of them.
#include "second_timer.hpp"

namespace
{

constexpr uintptr_t clock_gates = 0x4002101C;
constexpr uint32_t all_three = 7;

constexpr uintptr_t lower_half = 0x40000000;
constexpr uintptr_t upper_half = 0x40000400;
constexpr uintptr_t alarm_timer = 0x40000800;
constexpr uintptr_t control = 0x00;
constexpr uintptr_t master_control = 0x04;
constexpr uintptr_t slave_control = 0x08;
constexpr uintptr_t interrupts = 0x0C;
constexpr uintptr_t status = 0x10;
constexpr uintptr_t events = 0x14;
constexpr uintptr_t counter = 0x24;
constexpr uintptr_t prescaler = 0x28;
constexpr uintptr_t reload = 0x2C;

constexpr uint32_t enable = 1u << 0;
/// The event that takes a new prescaler then causes no interrupt.
constexpr uint32_t interrupt_of_overflow_only = 1u << 2;
constexpr uint32_t once = 1u << 3;
constexpr uint32_t update = 1;
constexpr uint32_t trigger_by_update = 2u << 4;
/// TIM3's trigger 1 is TIM2, and each one is a count.
constexpr uint32_t count_trigger_1 = 1u << 4 | 7;

constexpr uint32_t cycles_per_count = 3;

} // namespace

const uint32_t second_timer::count_ns = 125;

void second_timer::start()
{
    at(clock_gates) |= all_three;
    at(lower_half + prescaler) = cycles_per_count - 1;
    at(lower_half + reload) = 0xFFFF;
    at(lower_half + events) = update;
    at(lower_half + master_control) = trigger_by_update;
    at(upper_half + reload) = 0xFFFF;
    at(upper_half + slave_control) = count_trigger_1;
    at(upper_half + control) = enable;
    at(lower_half + control) = enable;
    at(alarm_timer + interrupts) = update;
    enable_interrupt(30, 0);
}

uint32_t second_timer::count()
{
    // TIM3 counts a wrap some cycles after TIM2 has wrapped, so the first 12 cycles after it are not read. A timer
    // that does not run ends the loop too.
    constexpr uint32_t settled = 4;
    uint32_t low = 0;
    uint32_t high = 0;
    for (unsigned tries = 0; tries < 100; ++tries) {
        high = at(upper_half + counter);
        low = at(lower_half + counter);
        if (low >= settled && at(upper_half + counter) == high) {
            break;
        }
    }
    return high << 16 | low;
}

void second_timer::alarm_after(uint32_t ns)
{
    const uint32_t counts = ns / count_ns;
    const uint32_t slower = (counts >> 16) + 1;
    at(alarm_timer + control) = interrupt_of_overflow_only | once;
    at(alarm_timer + prescaler) = cycles_per_count * slower - 1;
    at(alarm_timer + reload) = counts / slower - 1;
    at(alarm_timer + events) = update;
    at(alarm_timer + control) = interrupt_of_overflow_only | once | enable;
}

extern "C" void IRQ30_Handler()
{
    at(alarm_timer + status) = 0;
    // Read back, or the interrupt may end before the write reaches the timer, and come again.
    [[maybe_unused]] const uint32_t read = at(alarm_timer + status);
    second_timer_alarm();
}
