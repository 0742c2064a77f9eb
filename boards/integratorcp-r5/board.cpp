// SPDX-License-Identifier: MIT
// Arm Integrator/CP with a Cortex-R5, which QEMU emulates: "Integrator/CP Compact
// Platform Baseboard User Guide", chapter 4. Arm sold no such core module.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/pl011_uart.hpp"
#include "../parts/registers.hpp"
#include "../startup/core.hpp"
#include "../startup/cortex_ar/cortex_ar.hpp"

namespace
{

using parts::at;

/// The clock of timer 1, which makes the tick.
constexpr uint32_t clock_hz = 1000000;
constexpr uint32_t uart_clock_hz = 14745600;
constexpr parts::pl011_uart uart = {0x16000000};

constexpr uintptr_t timer = 0x13000100;
constexpr uintptr_t timer_load = timer + 0x00;
constexpr uintptr_t timer_control = timer + 0x08;
constexpr uintptr_t timer_clear = timer + 0x0C;
constexpr uint32_t periodic_32_bits_with_interrupt = 1u << 7 | 1u << 6 | 1u << 5 | 1u << 1;

constexpr uintptr_t irq_status = 0x14000000;
constexpr uintptr_t irq_enable_set = 0x14000008;
constexpr uint32_t timer_interrupt = 1u << 6;

} // namespace

uint32_t board::init()
{
    uart.start(uart_clock_hz, 115200);
    return clock_hz;
}

void core::tick_start(uint32_t counts)
{
    at(timer_load) = counts;
    at(timer_control) = periodic_32_bits_with_interrupt;
    at(irq_enable_set) = timer_interrupt;
}

void board_interrupt()
{
    const uint32_t pending = at(irq_status);
    if ((pending & timer_interrupt) != 0) {
        at(timer_clear) = 1;
        SysTick_Handler();
    } else if (pending != 0) {
        IRQ_Handler(static_cast<uint32_t>(__builtin_ctz(pending)));
    }
}

#include "../parts/usual.hpp"
