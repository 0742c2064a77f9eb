// SPDX-License-Identifier: MIT
// Arm's MPS2 and MPS3 boards: a CMSDK UART and the LEDs of the FPGA. A board.cpp
// defines `clock_hz`, `uart_clock_hz`, `uart` and `leds`, then includes this header.
#ifndef BOARDS_PARTS_MPS_HPP
#define BOARDS_PARTS_MPS_HPP

#include "emulated.hpp"
#include "registers.hpp"
#include "usual.hpp"

uint32_t board::init()
{
    uart.start(uart_clock_hz / 115200);
    return clock_hz;
}

void board::led(bool on)
{
    // LED0 is bit 0.
    parts::at(leds) = on ? 1 : 0;
    parts::show_lamp(on);
}

#endif
