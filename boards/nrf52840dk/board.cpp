// SPDX-License-Identifier: MIT
// nRF52840 DK (Cortex-M4, 64 MHz): "nRF52840 Product Specification", chapters CLOCK,
// GPIO, NVMC, UART, RTC. NOT RUN ON HARDWARE. SysTick stops while this core sleeps, so RTC1
// makes the tick. RTC1's interrupt calls SysTick_Handler.
#include "../board.hpp"
#include "../parts/nrf.hpp"
#include "../startup/core.hpp"
#include "rtc1.hpp"

extern "C" void SysTick_Handler();
extern "C" void IRQ17_Handler();

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 64000000;

constexpr parts::nrf_uart uart = {0x40002000};

constexpr uint32_t transmit_pin = 6;

/// The lamp shines while its pin is low.
constexpr uint32_t lamp = 1u << 13;

constexpr uintptr_t systick_control = 0xE000E010;
constexpr uint32_t systick_enable = 1u << 0;

/// Without the cache, each instruction that is not in a row waits for the flash.
constexpr uintptr_t instruction_cache = 0x4001E540;

} // namespace

uint32_t board::init()
{
    at(instruction_cache) = 1;
    uart.start(transmit_pin);
    at(parts::nrf_pins_set) = lamp;
    at(parts::nrf_pins_output) = lamp;
    return clock_hz;
}

void board::console_put(char c)
{
    uart.put(c);
}

void board::led(bool on)
{
    at(on ? parts::nrf_pins_clear : parts::nrf_pins_set) = lamp;
}

void board::tick_start(uint32_t hz)
{
    rtc1::start(rtc1::hz / hz - 1, rtc1::each_count);
}

void IRQ17_Handler()
{
    board::rtc1::clear_event(board::rtc1::each_count);
    SysTick_Handler();
}

void board::idle()
{
    // A firmware that takes its tick from SysTick must stay awake.
    if ((at(systick_control) & systick_enable) == 0) {
        core::wait_for_interrupt();
    }
}

void board::exit(int /*code*/)
{
    __asm__ volatile("cpsid i");
    for (;;) {
        core::wait_for_interrupt();
    }
}
