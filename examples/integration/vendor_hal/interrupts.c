/* SPDX-License-Identifier: MIT */
/* The application's handlers. A vendor's project generator puts them here. */
#include <tickwheel/tickwheel.h>

#include "hal.h"

void SysTick_Handler(void)
{
    HAL_IncTick();
    tickwheel_interrupt();
}
