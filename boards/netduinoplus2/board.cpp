// SPDX-License-Identifier: MIT
// Netduino Plus 2 (STM32F405, Cortex-M4F, 168 MHz), which QEMU emulates without its clock control and its pins:
// "RM0090 Reference manual", chapter USART.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/stm32_usart.hpp"

namespace
{

constexpr uint32_t clock_hz = 168000000;
constexpr uint32_t uart_bus_hz = clock_hz / 2;
/// USART1, the emulator's first serial line.
constexpr parts::stm32_usart uart = {0x40011000};

} // namespace

uint32_t board::init()
{
    uart.start(uart_bus_hz / 115200);
    return clock_hz;
}

#include "../parts/usual.hpp"
