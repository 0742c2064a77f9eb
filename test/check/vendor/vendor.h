/* SPDX-License-Identifier: MIT */
/* The names of CMSIS and SystemView that the documents' pieces of firmware use. whole_program.cpp defines
 * CMSIS'. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct system_control_block {
    volatile uint32_t ICSR;
    uint32_t not_used[2];
    volatile uint32_t SCR;
};
extern struct system_control_block *const SCB;
#define SCB_ICSR_PENDSVSET_Msk (1u << 28)
#define SCB_SCR_SLEEPDEEP_Msk (1u << 2)

struct systick_registers {
    volatile uint32_t CTRL;
};
extern struct systick_registers *const SysTick;
#define SysTick_CTRL_TICKINT_Msk (1u << 1)

enum IRQn { PendSV_IRQn = -2, SysTick_IRQn = -1 };
#define __NVIC_PRIO_BITS 4u
void NVIC_SetPriority(enum IRQn interrupt, uint32_t priority);

extern uint32_t SystemCoreClock;
uint32_t SysTick_Config(uint32_t counts);
static inline void __WFI(void)
{
    __asm__ volatile("wfi" ::: "memory");
}
static inline void __DSB(void)
{
    __asm__ volatile("dsb" ::: "memory");
}
static inline void __ISB(void)
{
    __asm__ volatile("isb" ::: "memory");
}
static inline void __disable_irq(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}
static inline void __enable_irq(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

#ifdef __cplusplus
}
#endif
