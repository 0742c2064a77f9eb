/* SPDX-License-Identifier: MIT */
/*
 * A hardware abstraction layer with a tick of its own, in the shape of many
 * vendors': HAL_Init() starts SysTick at 1 kHz, and the application's
 * SysTick_Handler() is to call HAL_IncTick().
 */
#ifndef HAL_H
#define HAL_H

#include <stdint.h>

/** Milliseconds since HAL_Init(). Whoever stops SysTick adds what it has missed. */
extern volatile uint32_t uwTick;

void HAL_Init(void);
void HAL_IncTick(void);
uint32_t HAL_GetTick(void);

/** Waits for at least that long. For ever in a handler that SysTick cannot interrupt: none of its callbacks may call
 * it. */
void HAL_Delay(uint32_t milliseconds);

/** SysTick stands still, and goes on where it stood. */
void HAL_SuspendTick(void);
void HAL_ResumeTick(void);

/**
 * Sleeps for that long, one or more, or until any interrupt is pending, on a timer that runs while SysTick stands
 * still. With interrupts masked. Returns how many milliseconds have passed; what is left of one counts in the next
 * call.
 */
uint32_t HAL_Stop(uint32_t milliseconds);

#endif
