/* SPDX-License-Identifier: MIT */
#include "hal.h"

#include "chip.h"

static volatile uint32_t ticks;

void HAL_Init(void)
{
    (void)SysTick_Config(SystemCoreClock / 1000);
}

void HAL_IncTick(void)
{
    ticks = ticks + 1;
}

uint32_t HAL_GetTick(void)
{
    return ticks;
}

void HAL_Delay(uint32_t milliseconds)
{
    const uint32_t from = HAL_GetTick();
    /* One more, because the current tick has begun already. */
    while (HAL_GetTick() - from <= milliseconds) {
    }
}
