/* SPDX-License-Identifier: MIT */
/*
 * Stands in for the vector table of libopencm3, with its names. A handler that nothing
 * defines does nothing there, so a wrong name is an interrupt that is never seen.
 */
#include "../../../examples/integration/vendor/vectors.h"

void blocking_handler(void)
{
    for (;;) {
    }
}

void null_handler(void)
{
}

#define WEAK(name, handler) __attribute__((weak, alias(#handler))) void name(void);

WEAK(hard_fault_handler, blocking_handler)
WEAK(sv_call_handler, null_handler)
WEAK(pend_sv_handler, null_handler)
WEAK(sys_tick_handler, null_handler)

__attribute__((used, section(".vectors"))) static const struct vectors vector_table = {
    stack_top,
    {[reset] = Reset_Handler,
     [hard_fault] = hard_fault_handler,
     [svc] = sv_call_handler,
     [pendsv] = pend_sv_handler,
     [systick] = sys_tick_handler}};
