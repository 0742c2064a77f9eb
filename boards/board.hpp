// SPDX-License-Identifier: MIT
// The functions of a board that examples and tests use. A board knows nothing of
// wheels. Each board.cpp defines them, and a firmware links one board.cpp.
#pragma once

#include <stdint.h>

namespace board
{

/// Starts the clocks and the console. Call this first. @return the clock of SysTick, in Hz
uint32_t init();

/// Sends one character, '\n' as a new line. Waits while the UART is full. For thread code and fault handlers.
void console_put(char c);

/// Switches the lamp. The function of an emulated board prints the change.
void led(bool on);

/// Starts the tick of a firmware that has its own SysTick_Handler: the board calls that handler `hz` times a second.
/// The source is SysTick, or another timer if SysTick stops while the core sleeps. If `hz` does not divide the clock,
/// each tick is less than one cycle early.
void tick_start(uint32_t hz);

/// Sleeps until an interrupt comes. Returns at once if sleep would stop the clock.
void idle();

/// Ends the program: the emulator ends with this exit code, and a real core stops.
[[noreturn]] void exit(int code);

} // namespace board
