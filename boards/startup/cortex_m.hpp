// SPDX-License-Identifier: MIT
// What a board.cpp may use of the core it has, the same on every Cortex-M.
#ifndef BOARDS_CORTEX_M_HPP
#define BOARDS_CORTEX_M_HPP

#include <stdint.h>

namespace cortex_m
{

/// Periodic SysTick interrupts, `cycles` apart: 2 to 2^24. With others it says so and ends the program.
void systick_start(uint32_t cycles);

/// WFI: sleeps until an interrupt comes.
void wait_for_interrupt();

/// Ends an emulator (or debugger) that serves semihosting. Where nothing does, the breakpoint in it is a fault: the
/// core then stops in lock-up.
[[noreturn]] void semihosting_exit(int code);

} // namespace cortex_m

#endif
