/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's vector table, with the names of CMSIS. Each handler is a weak name
 * for Default_Handler until another file defines it.
 */
#include "vectors.h"

/* An interrupt without a handler stops here, where a debugger finds it. */
void Default_Handler(void)
{
    for (;;) {
    }
}

#define WEAK(name) __attribute__((weak, alias("Default_Handler"))) void name(void);

WEAK(HardFault_Handler)
WEAK(SVC_Handler)
WEAK(PendSV_Handler)
WEAK(SysTick_Handler)

__attribute__((used, section(".vectors"))) static const struct vectors table = {stack_top,
                                                                                {[reset] = Reset_Handler,
                                                                                 [hard_fault] = HardFault_Handler,
                                                                                 [svc] = SVC_Handler,
                                                                                 [pendsv] = PendSV_Handler,
                                                                                 [systick] = SysTick_Handler}};
