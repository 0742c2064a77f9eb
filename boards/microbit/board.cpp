// SPDX-License-Identifier: MIT
// BBC micro:bit (nRF51822, Cortex-M0, 16 MHz), which QEMU emulates: "nRF51 Series
// Reference Manual", chapters GPIO and UART. Only the emulator has a SysTick. On the
// chip the console and the lamp work, but no tick comes.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/nrf_uart.hpp"
#include "../parts/registers.hpp"

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

/// The upper left lamp of the matrix shines while its row is high and its column is low.
constexpr uint32_t row_1 = 1u << 13;
constexpr uint32_t column_1 = 1u << 4;

} // namespace

uint32_t board::init()
{
    // Start the crystal: the internal oscillator is not accurate enough for a UART.
    at(clock_start) = 1;
    while (at(clock_started) == 0) {
    }
    at(pins_set) = 1u << transmit_pin;
    at(pins_clear) = row_1 | column_1;
    at(pins_output) = 1u << transmit_pin | row_1 | column_1;
    uart.start(transmit_pin, receive_pin);
    return clock_hz;
}

void board::led(bool on)
{
    at(on ? pins_set : pins_clear) = row_1;
    parts::show_lamp(on);
}

#include "../parts/usual.hpp"
