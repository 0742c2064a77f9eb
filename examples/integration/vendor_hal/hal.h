/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's hardware abstraction layer, with a tick of its own. HAL_Init()
 * starts SysTick at 1 kHz. The application's SysTick_Handler() must call HAL_IncTick().
 */
#ifndef HAL_H
#define HAL_H

#include <stdint.h>

void HAL_Init(void);
void HAL_IncTick(void);

/** Returns the milliseconds since HAL_Init(). */
uint32_t HAL_GetTick(void);

/** Waits for at least that long. Never call this from a callback: SysTick cannot interrupt it, so it never ends. */
void HAL_Delay(uint32_t milliseconds);

#endif
