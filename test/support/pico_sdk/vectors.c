/* SPDX-License-Identifier: MIT */
/*
 * Stands in for the vector table of the pico-sdk, with its names, or with those of CMSIS in
 * a program that links cmsis_core. A handler that nothing defines stops the core.
 */
#include "vectors.h"

#if LIB_CMSIS_CORE
#define isr_hardfault HardFault_Handler
#define isr_svcall SVC_Handler
#define isr_pendsv PendSV_Handler
#define isr_systick SysTick_Handler
#endif

void unhandled(void)
{
    __asm__ volatile("bkpt #0");
}

#define WEAK(name) __attribute__((weak, alias("unhandled"))) void name(void);

WEAK(isr_hardfault)
WEAK(isr_svcall)
WEAK(isr_pendsv)
WEAK(isr_systick)

__attribute__((used, section(".vectors"))) static const struct vectors table = {stack_top,
                                                                                {[reset] = Reset_Handler,
                                                                                 [hard_fault] = isr_hardfault,
                                                                                 [svc] = isr_svcall,
                                                                                 [pendsv] = isr_pendsv,
                                                                                 [systick] = isr_systick}};
