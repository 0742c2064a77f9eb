/* SPDX-License-Identifier: MIT */
#include "hal.h"

#include "chip.h"

#define TIMER0_CONTROL_ENABLE (UINT32_C(1) << 0)
#define TIMER0_CONTROL_INTERRUPT (UINT32_C(1) << 3)

/* A period in which HAL_Stop() can write RELOAD. */
enum { shortest_period = 100 };

volatile uint32_t uwTick;

void HAL_Init(void)
{
    (void)SysTick_Config(SystemCoreClock / 1000);
    NVIC_ENABLE = UINT32_C(1) << TIMER0_IRQ;
}

void HAL_IncTick(void)
{
    uwTick = uwTick + 1;
}

uint32_t HAL_GetTick(void)
{
    return uwTick;
}

void HAL_Delay(uint32_t milliseconds)
{
    const uint32_t from = HAL_GetTick();
    /* One more, because the current tick has begun already. */
    while (HAL_GetTick() - from <= milliseconds) {
    }
}

uint32_t HAL_Stop(uint32_t milliseconds)
{
    SYSTICK_CONTROL &= ~SYSTICK_CONTROL_ENABLE;
    const uint32_t millisecond = SystemCoreClock / 1000;
    const uint32_t longest = UINT32_MAX / millisecond;
    const uint32_t left = SYSTICK_CURRENT;
    /* At 0 the tick has come already. */
    const uint32_t begun = left != 0 ? millisecond - left : 0;
    const uint32_t cycles = (milliseconds < longest ? milliseconds : longest) * millisecond - begun;
    TIMER0_VALUE = cycles;
    TIMER0_CONTROL = TIMER0_CONTROL_INTERRUPT | TIMER0_CONTROL_ENABLE;
    chip_wait_for_interrupt();
    TIMER0_CONTROL = 0;
    const uint32_t passed = begun + cycles - TIMER0_VALUE;

    /* The first period is the rest of a millisecond. The next ones are whole: write RELOAD after SysTick has read it.
     */
    const uint32_t rest = millisecond - passed % millisecond;
    SYSTICK_RELOAD = rest > shortest_period ? rest - 1 : shortest_period - 1;
    SYSTICK_CURRENT = 0;
    SYSTICK_CONTROL |= SYSTICK_CONTROL_ENABLE;
    while (SYSTICK_CURRENT == 0) {
    }
    SYSTICK_RELOAD = millisecond - 1;
    return passed / millisecond;
}

void TIMER0_Handler(void)
{
    TIMER0_CONTROL = 0;
    TIMER0_INTERRUPT_CLEAR = 1;
}
