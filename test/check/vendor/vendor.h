/* SPDX-License-Identifier: MIT */
/* The names of CMSIS and of a HAL that the documents' pieces of firmware use. */
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
void HAL_IncTick(void);

#ifdef __cplusplus
}
#endif

#endif
