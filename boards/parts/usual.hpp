// SPDX-License-Identifier: MIT
// The functions that are the same on most boards: the console is the UART `uart`, and
// the core's timer, which counts `clock_hz`, makes the tick. A board.cpp that defines
// both names includes this header at its end.
#pragma once

#include "../board.hpp"
#include "../startup/core.hpp"

void board::console_put(char c)
{
    uart.put(c);
}

void board::tick_start(uint32_t hz)
{
    core::tick_start(clock_hz / hz);
}

void board::idle()
{
    core::wait_for_interrupt();
}
