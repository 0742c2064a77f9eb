// SPDX-License-Identifier: MIT
// Functions of the core that the boards with it share. startup/ defines them.
#pragma once

#include <stdint.h>

namespace core
{

/// Calls SysTick_Handler() every `counts` of the board's clock.
///
/// On a Cortex-M this starts SysTick, and a number that is not 2 to 2^24 prints a fault and ends the program. On an
/// RV32 it uses the CLINT, the core's own timer and software interrupt ("SiFive E31 Core Complex Manual"), at
/// 0x2000000. A board with a Cortex-R or -A defines it itself, since the timer differs.
void tick_start(uint32_t counts);

/// Sleeps until an interrupt comes.
void wait_for_interrupt();

} // namespace core
