// SPDX-License-Identifier: MIT
// Functions of the core for every board.cpp: they are the same on every RV32 with a
// CLINT, the core's own timer and software interrupt ("SiFive E31 Core Complex
// Manual", chapter CLINT). The board has it at 0x2000000, as SiFive's chips do.
#ifndef BOARDS_RISCV_HPP
#define BOARDS_RISCV_HPP

#include <stdint.h>

namespace riscv
{

/// Calls SysTick_Handler() every `counts` of mtime.
void tick_start(uint32_t counts);

/// Sleeps until an interrupt comes.
void wait_for_interrupt();

} // namespace riscv

#endif
