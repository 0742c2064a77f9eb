// SPDX-License-Identifier: MIT
// TIMER0, TIMER1 and TIMER2 of the nRF51 and nRF52, at 8 MHz: the chapters TIMER of both manuals agree. One
// <board>.cpp includes this and so defines the functions. In silicon, TIMER1 and TIMER2 of an nRF51 have 16 bits
// only.
#pragma once

#include "second_timer.hpp"

namespace
{

constexpr uintptr_t clock_timer = 0x40008000;
constexpr uintptr_t alarm_timer = 0x40009000;
constexpr uintptr_t expiring_timer = 0x4000A000;
constexpr uintptr_t start_task = 0x000;
constexpr uintptr_t stop_task = 0x004;
constexpr uintptr_t clear_task = 0x00C;
constexpr uintptr_t capture_task = 0x040;
constexpr uintptr_t compared = 0x140;
constexpr uintptr_t interrupt_set = 0x304;
constexpr uintptr_t bit_mode = 0x508;
constexpr uintptr_t prescaler = 0x510;
constexpr uintptr_t compare = 0x540;
constexpr uint32_t bits_32 = 3;
constexpr uint32_t eight_mhz = 1;
constexpr uint32_t interrupt_of_compare = 1u << 16;

void start_once(uintptr_t timer, uint32_t ns)
{
    at(timer + stop_task) = 1;
    at(timer + clear_task) = 1;
    at(timer + compared) = 0;
    at(timer + compare) = ns / 125;
    at(timer + start_task) = 1;
}

} // namespace

const uint32_t second_timer::count_ns = 125;

void second_timer::start()
{
    constexpr uintptr_t timers[] = {clock_timer, alarm_timer, expiring_timer};
    for (const uintptr_t timer : timers) {
        at(timer + bit_mode) = bits_32;
        at(timer + prescaler) = eight_mhz;
        at(timer + clear_task) = 1;
    }
    at(clock_timer + start_task) = 1;
    at(alarm_timer + interrupt_set) = interrupt_of_compare;
    enable_interrupt(9, 0);
}

uint32_t second_timer::count()
{
    at(clock_timer + capture_task) = 1;
    return at(clock_timer + compare);
}

void second_timer::alarm_after(uint32_t ns)
{
    start_once(alarm_timer, ns);
}

void second_timer::expire_after(uint32_t ns)
{
    start_once(expiring_timer, ns);
}

extern "C" void IRQ9_Handler()
{
    at(alarm_timer + stop_task) = 1;
    at(alarm_timer + compared) = 0;
    // Read back, or the interrupt may end before the write reaches the timer, and come again.
    [[maybe_unused]] const uint32_t read = at(alarm_timer + compared);
    second_timer_alarm();
}
