/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's start-up code: from reset to main(), and a vector table. Each
 * handler is a weak name for Default_Handler until another file defines it.
 */
#include "chip.h"

int main(void);

/* From chip.ld. */
extern uint32_t stack_top[];
extern const uint32_t data_load[];
extern uint32_t data_start[];
extern uint32_t data_end[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];

void Reset_Handler(void)
{
    const uint32_t *from = data_load;
    for (uint32_t *to = data_start; to != data_end; ++to) {
        *to = *from++;
        __asm__ volatile(""); /* keeps the compiler from calling memcpy() */
    }
    for (uint32_t *word = bss_start; word != bss_end; ++word) {
        *word = 0;
        __asm__ volatile(""); /* or memset() */
    }
    SystemInit();
    chip_exit(main());
}

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

/* The numbers of the exceptions, less one. */
enum { hard_fault = 2, svc = 10, pendsv = 13, systick = 14, handlers = 15 };

__attribute__((used, section(".vectors"))) static const struct {
    uint32_t *stack_top;
    void (*handlers[handlers])(void);
} vectors = {stack_top,
             {[0] = Reset_Handler,
              [hard_fault] = HardFault_Handler,
              [svc] = SVC_Handler,
              [pendsv] = PendSV_Handler,
              [systick] = SysTick_Handler}};
