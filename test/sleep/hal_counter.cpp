// SPDX-License-Identifier: MIT
// A vendor's HAL, which counts ticks of its own.
#include <tickwheel/systick.h>

uint32_t hal_ticks;

void tickwheel_ticks_passed(uint32_t ticks)
{
    hal_ticks += ticks;
}
