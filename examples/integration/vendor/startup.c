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
typedef void constructor(void);
extern constructor *const constructors_start[];
extern constructor *const constructors_end[];

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
    for (constructor *const *construct = constructors_start; construct != constructors_end; ++construct) {
        (*construct)();
    }
    chip_exit(main());
}

/* An interrupt without a handler stops here, where a debugger finds it. */
void Default_Handler(void)
{
    for (;;) {
    }
}

#define WEAK(name) __attribute__((weak, alias("Default_Handler"))) void name(void);

WEAK(NMI_Handler)
WEAK(HardFault_Handler)
WEAK(MemManage_Handler)
WEAK(BusFault_Handler)
WEAK(UsageFault_Handler)
WEAK(SVC_Handler)
WEAK(DebugMon_Handler)
WEAK(PendSV_Handler)
WEAK(SysTick_Handler)
WEAK(UART0_Receive_Handler)
WEAK(UART0_Transmit_Handler)
WEAK(UART1_Receive_Handler)
WEAK(UART1_Transmit_Handler)
WEAK(UART2_Receive_Handler)
WEAK(UART2_Transmit_Handler)
WEAK(GPIO0_Handler)
WEAK(GPIO1_Handler)
WEAK(TIMER0_Handler)
WEAK(TIMER1_Handler)
WEAK(DUALTIMER_Handler)

typedef void handler(void);

__attribute__((used, section(".vectors"))) static const struct {
    uint32_t *stack_top;
    handler *exceptions[15];
    handler *interrupts[11];
} vectors = {stack_top,
             {Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler,
              0, 0, 0, 0, SVC_Handler, DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler},
             {UART0_Receive_Handler, UART0_Transmit_Handler, UART1_Receive_Handler, UART1_Transmit_Handler,
              UART2_Receive_Handler, UART2_Transmit_Handler, GPIO0_Handler, GPIO1_Handler, TIMER0_Handler,
              TIMER1_Handler, DUALTIMER_Handler}};
