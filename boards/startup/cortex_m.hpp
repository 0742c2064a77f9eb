// SPDX-License-Identifier: MIT
// Functions of the core for every board.cpp: they are the same on every Cortex-M.
#ifndef BOARDS_CORTEX_M_HPP
#define BOARDS_CORTEX_M_HPP

#include <stdint.h>

namespace cortex_m
{

/// Starts SysTick with one interrupt every `cycles` cycles, 2 to 2^24. Any other number prints a fault and ends the
/// program.
void tick_start(uint32_t cycles);

/// Sleeps until an interrupt comes.
void wait_for_interrupt();

} // namespace cortex_m

#endif
