/* SPDX-License-Identifier: MIT */
/* The application's handlers, where a vendor's project generator has put them. */
#include <tickwheel/tickwheel.h>

#include "hal.h"

void SysTick_Handler(void)
{
    HAL_IncTick();
    tickwheel_interrupt();
}
