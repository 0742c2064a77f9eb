/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's hardware abstraction layer, with a tick of its own. HAL_Init()
 * starts SysTick at 1 kHz. The application's SysTick_Handler() must call HAL_IncTick().
 */
#ifndef HAL_H
#define HAL_H

#include <stdint.h>

/** Milliseconds since HAL_Init(). If you stop SysTick, add the milliseconds that it missed. */
extern volatile uint32_t uwTick;

void HAL_Init(void);
void HAL_IncTick(void);
uint32_t HAL_GetTick(void);

/** Waits for at least that long. Never call this from a callback: SysTick cannot interrupt it, so the wait never
 * ends.
 */
void HAL_Delay(uint32_t milliseconds);

/**
 * Stops SysTick and sleeps until it would have made `milliseconds` ticks, at least 1, or until an interrupt is
 * pending. A second timer counts meanwhile. Call this with interrupts masked. Returns the ticks that SysTick has
 * missed. SysTick goes on with the rest of the current millisecond.
 */
uint32_t HAL_Stop(uint32_t milliseconds);

#endif
