// SPDX-License-Identifier: MIT
// All that an example or a test asks of a board. A board knows nothing of wheels.
// One board.cpp per board defines these; exactly one is linked.
#ifndef BOARD_HPP
#define BOARD_HPP

#include <stdint.h>

namespace board
{

/// Clocks and console. Before anything else here. @return what SysTick counts, in Hz
uint32_t init();

/// Sends one character, '\n' as a new line; waits for the UART when it must. Thread code and fault handlers.
void console_put(char c);

/// @return a character that has come in, or -1 when there is none; never waits
int console_get();

/// The one lamp that every board has, or stands in for.
void led(bool on);

/// Starts the tick, for a firmware with a SysTick_Handler of its own: calls that, `hz` times a second. From SysTick;
/// or from another timer, where SysTick stands still while the core sleeps. The rate must divide the clock, or ticks
/// come early by less than a cycle each.
void tick_start(uint32_t hz);

/// Sleeps until an interrupt comes; returns at once where that would stop the clock.
void idle();

/// Ends the program: under the emulator with this exit code, on silicon by standing still.
[[noreturn]] void exit(int code);

} // namespace board

#endif
