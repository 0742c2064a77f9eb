/* SPDX-License-Identifier: MIT */
/* The names of CMSIS and of a HAL that the documents' pieces of firmware use. whole_program.cpp defines CMSIS'. */
#ifndef VENDOR_H
#define VENDOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct system_control_block {
    volatile uint32_t ICSR;
};
extern struct system_control_block *const SCB;
#define SCB_ICSR_PENDSVSET_Msk (1u << 28)

enum IRQn { PendSV_IRQn = -2, SysTick_IRQn = -1 };
#define __NVIC_PRIO_BITS 4u
void NVIC_SetPriority(enum IRQn interrupt, uint32_t priority);

extern uint32_t SystemCoreClock;
uint32_t SysTick_Config(uint32_t counts);
static inline void __WFI(void)
{
    __asm__ volatile("wfi" ::: "memory");
}
static inline void __disable_irq(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}
static inline void __enable_irq(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}
void HAL_IncTick(void);

#ifdef __cplusplus
}
#endif

#endif
