// SPDX-License-Identifier: MIT
// BBC micro:bit (nRF51822, Cortex-M0, 16 MHz), as QEMU's microbit has it: "nRF51
// Series Reference Manual", chapters GPIO and UART. One thing is the emulator's
// alone: SysTick, which the chip does without. On silicon the console and the lamp
// work, and no tick comes.
#include "../board.hpp"
#include "../parts/nrf_uart.hpp"
#include "../parts/registers.hpp"
#include "../parts/shown_lamp.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 16000000;

constexpr uintptr_t clock_start = 0x40000000;
constexpr uintptr_t clock_started = 0x40000100;

constexpr parts::nrf_uart uart = {0x40002000};

constexpr uint32_t transmit_pin = 24;
constexpr uint32_t receive_pin = 25;

constexpr uintptr_t pins_set = 0x50000508;
constexpr uintptr_t pins_clear = 0x5000050C;
constexpr uintptr_t pins_output = 0x50000518;

/// One lamp of the matrix, the upper left one, shines while its row is high and its column low.
constexpr uint32_t row_1 = 1u << 13;
constexpr uint32_t column_1 = 1u << 4;

} // namespace

uint32_t board::init()
{
    // The crystal: the oscillator that the chip starts with is too coarse for a UART.
    at(clock_start) = 1;
    while (at(clock_started) == 0) {
    }
    at(pins_set) = 1u << transmit_pin;
    at(pins_clear) = row_1 | column_1;
    at(pins_output) = 1u << transmit_pin | row_1 | column_1;
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
    at(on ? pins_set : pins_clear) = row_1;
    parts::show_lamp(on);
}

void board::tick_start(uint32_t hz)
{
    cortex_m::systick_start(clock_hz / hz);
}

void board::idle()
{
    cortex_m::wait_for_interrupt();
}

void board::exit(int code)
{
    cortex_m::semihosting_exit(code);
}
