/* SPDX-License-Identifier: MIT */
#include "hal.h"

#include "chip.h"

#define TIMER0_CONTROL_ENABLE (UINT32_C(1) << 0)
#define TIMER0_CONTROL_INTERRUPT (UINT32_C(1) << 3)

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
    /* One more: the tick that is running has begun already. */
    while (HAL_GetTick() - from <= milliseconds) {
    }
}

void HAL_SuspendTick(void)
{
    SYSTICK_CONTROL &= ~SYSTICK_CONTROL_ENABLE;
}

void HAL_ResumeTick(void)
{
    SYSTICK_CONTROL |= SYSTICK_CONTROL_ENABLE;
}

uint32_t HAL_Stop(uint32_t milliseconds)
{
    /* What has been slept of a millisecond that no sleep has ended yet. */
    static uint32_t begun;
    const uint32_t millisecond = SystemCoreClock / 1000;
    const uint32_t longest = UINT32_MAX / millisecond;
    const uint32_t cycles = (milliseconds < longest ? milliseconds : longest) * millisecond - begun;
    TIMER0_VALUE = cycles;
    TIMER0_CONTROL = TIMER0_CONTROL_INTERRUPT | TIMER0_CONTROL_ENABLE;
    chip_wait_for_interrupt();
    TIMER0_CONTROL = 0;
    const uint32_t slept = begun + cycles - TIMER0_VALUE;
    begun = slept % millisecond;
    return slept / millisecond;
}

void TIMER0_Handler(void)
{
    TIMER0_CONTROL = 0;
    TIMER0_INTERRUPT_CLEAR = 1;
}
