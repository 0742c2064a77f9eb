// SPDX-License-Identifier: MIT
// Arm Versatile Express with a Cortex-A9, which QEMU emulates: "Motherboard Express uATX
// Technical Reference Manual", chapter 4, and "Cortex-A9 MPCore Technical Reference
// Manual", chapters 3 (interrupt controller) and 4 (private timer).
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/pl011_uart.hpp"
#include "../parts/registers.hpp"
#include "../startup/core.hpp"
#include "../startup/cortex_ar/cortex_ar.hpp"

namespace
{

using parts::at;

/// The private timer counts at 100 MHz in QEMU.
constexpr uint32_t clock_hz = 100000000;
constexpr uint32_t uart_clock_hz = 24000000;
constexpr parts::pl011_uart uart = {0x10009000};

constexpr uintptr_t controller = 0x1E000100;
constexpr uintptr_t controller_enable = controller + 0x00;
constexpr uintptr_t priority_mask = controller + 0x04;
constexpr uintptr_t acknowledge = controller + 0x0C;
constexpr uintptr_t end_of_interrupt = controller + 0x10;
constexpr uint32_t every_priority = 0xFF;
constexpr uintptr_t distributor_enable = 0x1E001000;
constexpr uintptr_t enable_set = 0x1E001100;
constexpr uint32_t timer_number = 29;
/// The controller reports this number, or the one before it, when no interrupt is pending any more.
constexpr uint32_t spurious = 1022;

constexpr uintptr_t timer_load = 0x1E000600;
constexpr uintptr_t timer_control = 0x1E000608;
constexpr uintptr_t timer_status = 0x1E00060C;
constexpr uint32_t periodic_with_interrupt = 1u << 2 | 1u << 1 | 1u << 0;

} // namespace

uint32_t board::init()
{
    uart.start(uart_clock_hz, 115200);
    at(priority_mask) = every_priority;
    at(controller_enable) = 1;
    at(distributor_enable) = 1;
    return clock_hz;
}

void core::tick_start(uint32_t counts)
{
    at(timer_load) = counts - 1;
    at(timer_control) = periodic_with_interrupt;
    at(enable_set) = 1u << timer_number;
}

// The controller lets in only interrupts of a higher priority until the end of this one.
void board_interrupt()
{
    const uint32_t interrupt = at(acknowledge);
    __asm__ volatile("cpsie i" ::: "memory");
    if (interrupt == timer_number) {
        at(timer_status) = 1;
        SysTick_Handler();
    } else if (interrupt < spurious) {
        IRQ_Handler(interrupt);
    }
    __asm__ volatile("cpsid i" ::: "memory");
    at(end_of_interrupt) = interrupt;
}

#include "../parts/usual.hpp"
