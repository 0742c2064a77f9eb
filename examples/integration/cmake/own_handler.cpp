// SPDX-License-Identifier: MIT
// The firmware owns SysTick_Handler, which calls tickwheel once.
#include <tickwheel/tickwheel.h>

#include "../../../boards/board.hpp"
#include "firmware.hpp"

void firmware::start_ticks(uint32_t)
{
    board::tick_start(TICKWHEEL_HZ);
}

extern "C" void SysTick_Handler()
{
    (void)tickwheel_interrupt();
}
