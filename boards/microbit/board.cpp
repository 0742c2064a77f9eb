// SPDX-License-Identifier: MIT
// BBC micro:bit (nRF51822, Cortex-M0, 16 MHz), which QEMU emulates: "nRF51 Series
// Reference Manual", chapters GPIO and UART. Only the emulator has a SysTick. On the
// chip the console and the lamp work, but no tick comes.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/nrf.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 16000000;

constexpr parts::nrf_uart uart = {0x40002000};

constexpr uint32_t transmit_pin = 24;
constexpr uint32_t receive_pin = 25;

/// The upper left lamp of the matrix shines while its row is high and its column is low.
constexpr uint32_t row_1 = 1u << 13;
constexpr uint32_t column_1 = 1u << 4;

} // namespace

uint32_t board::init()
{
    uart.start(transmit_pin, receive_pin);
    at(parts::nrf_pins_clear) = row_1 | column_1;
    at(parts::nrf_pins_output) = row_1 | column_1;
    return clock_hz;
}

void board::led(bool on)
{
    at(on ? parts::nrf_pins_set : parts::nrf_pins_clear) = row_1;
    parts::show_lamp(on);
}

#include "../parts/usual.hpp"
