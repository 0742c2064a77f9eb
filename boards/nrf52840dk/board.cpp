// SPDX-License-Identifier: MIT
// nRF52840 DK (Cortex-M4, 64 MHz): "nRF52840 Product Specification", chapters CLOCK,
// GPIO, UART, RTC. NOT RUN ON HARDWARE. SysTick stops while this core sleeps, so RTC1
// makes the tick. RTC1's interrupt calls SysTick_Handler.
#include "../board.hpp"
#include "../parts/nrf_uart.hpp"
#include "../parts/registers.hpp"
#include "../startup/cortex_m.hpp"

extern "C" void SysTick_Handler();
extern "C" void IRQ17_Handler();

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 64000000;

constexpr uintptr_t clock_start_crystal = 0x40000000;
constexpr uintptr_t clock_start_slow_crystal = 0x40000008;
constexpr uintptr_t clock_crystal_runs = 0x40000100;
constexpr uintptr_t clock_slow_crystal_runs = 0x40000104;
constexpr uintptr_t clock_slow_source = 0x40000518;
constexpr uint32_t slow_source_crystal = 1;

constexpr parts::nrf_uart uart = {0x40002000};

constexpr uint32_t transmit_pin = 6;
constexpr uint32_t receive_pin = 8;

constexpr uintptr_t pins_set = 0x50000508;
constexpr uintptr_t pins_clear = 0x5000050C;
constexpr uintptr_t pins_output = 0x50000518;
/// The lamp shines while its pin is low.
constexpr uint32_t lamp = 1u << 13;

constexpr uintptr_t rtc = 0x40011000;
constexpr uintptr_t rtc_start = rtc + 0x000;
constexpr uintptr_t rtc_stop = rtc + 0x004;
constexpr uintptr_t rtc_clear = rtc + 0x008;
constexpr uintptr_t rtc_ticked = rtc + 0x100;
constexpr uintptr_t rtc_interrupt_set = rtc + 0x304;
constexpr uintptr_t rtc_prescaler = rtc + 0x508;
constexpr uint32_t rtc_tick_interrupt = 1u << 0;
constexpr uint32_t rtc_hz = 32768;

constexpr uintptr_t interrupt_set_enable = 0xE000E100;
constexpr uintptr_t systick_control = 0xE000E010;
constexpr uint32_t systick_enable = 1u << 0;

} // namespace

uint32_t board::init()
{
    // Start the crystal: the internal oscillator is not accurate enough for a UART.
    at(clock_start_crystal) = 1;
    while (at(clock_crystal_runs) == 0) {
    }
    at(pins_set) = 1u << transmit_pin | lamp;
    at(pins_output) = 1u << transmit_pin | lamp;
    uart.start(transmit_pin, receive_pin);
    return clock_hz;
}

void board::console_put(char c)
{
    uart.put(c);
}

int board::console_get()
{
    return uart.get();
}

void board::led(bool on)
{
    at(on ? pins_clear : pins_set) = lamp;
}

void board::tick_start(uint32_t hz)
{
    at(clock_slow_source) = slow_source_crystal;
    at(clock_start_slow_crystal) = 1;
    while (at(clock_slow_crystal_runs) == 0) {
    }
    // The prescaler accepts a value only while RTC1 is stopped.
    at(rtc_stop) = 1;
    at(rtc_prescaler) = rtc_hz / hz - 1;
    at(rtc_clear) = 1;
    at(rtc_ticked) = 0;
    at(rtc_interrupt_set) = rtc_tick_interrupt;
    at(interrupt_set_enable) = 1u << 17;
    at(rtc_start) = 1;
}

void IRQ17_Handler()
{
    at(rtc_ticked) = 0;
    // Read back, or the interrupt may end before the write reaches RTC1. Then it would come again.
    while (at(rtc_ticked) != 0) {
    }
    SysTick_Handler();
}

void board::idle()
{
    // A firmware that takes its tick from SysTick must stay awake.
    if ((at(systick_control) & systick_enable) == 0) {
        cortex_m::wait_for_interrupt();
    }
}

void board::exit(int /*code*/)
{
    __asm__ volatile("cpsid i");
    for (;;) {
    }
}
