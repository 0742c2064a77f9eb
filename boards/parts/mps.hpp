// SPDX-License-Identifier: MIT
// Arm's MPS2 and MPS3 boards, which have a CMSDK UART. A board.cpp defines `clock_hz`, `uart_clock_hz` and `uart`,
// then includes this header.
#pragma once

#include "emulated.hpp"
#include "usual.hpp"

uint32_t board::init()
{
    uart.start(uart_clock_hz / 115200);
    return clock_hz;
}
