// SPDX-License-Identifier: MIT
// BBC micro:bit (nRF51822, Cortex-M0, 16 MHz), which QEMU emulates: "nRF51 Series
// Reference Manual", chapter UART. Only the emulator has a SysTick.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/nrf.hpp"

namespace
{

constexpr uint32_t clock_hz = 16000000;
constexpr uint32_t transmit_pin = 24;
constexpr parts::nrf_uart uart = {0x40002000};

} // namespace

uint32_t board::init()
{
    uart.start(transmit_pin);
    return clock_hz;
}

#include "../parts/usual.hpp"
