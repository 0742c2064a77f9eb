/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's chip header: the clock, the core's own peripherals, a serial
 * line. The chip is that of the MPS2 boards, Cortex-M3 and Cortex-M7, which QEMU
 * emulates.
 */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

#define CHIP_REGISTER(address) (*(volatile uint32_t *)(address))

/** Interrupt control and state: pends PendSV. */
#define SCB_ICSR CHIP_REGISTER(0xE000ED04)
#define SCB_ICSR_PENDSVSET (UINT32_C(1) << 28)
/** The priorities of PendSV, bits 16 to 23, and of SysTick, bits 24 to 31. */
#define SCB_SHPR3 CHIP_REGISTER(0xE000ED20)
#define SYSTICK_CONTROL CHIP_REGISTER(0xE000E010)
#define SYSTICK_CONTROL_ENABLE (UINT32_C(1) << 0)
#define SYSTICK_RELOAD CHIP_REGISTER(0xE000E014)
#define SYSTICK_CURRENT CHIP_REGISTER(0xE000E018)
#define NVIC_ENABLE CHIP_REGISTER(0xE000E100)

enum { TIMER0_IRQ = 8, TIMER1_IRQ = 9 };
#define TIMER0_CONTROL CHIP_REGISTER(0x40000000)
#define TIMER0_VALUE CHIP_REGISTER(0x40000004)
#define TIMER0_INTERRUPT_CLEAR CHIP_REGISTER(0x4000000C)

extern uint32_t SystemCoreClock;

/** The start-up code calls this before main(). */
void SystemInit(void);

/** Starts a SysTick interrupt every `cycles` cycles. Returns 1 if 24 bits cannot hold them, else 0. */
uint32_t SysTick_Config(uint32_t cycles);

void chip_print(const char *text);
void chip_print_number(uint32_t number);

/** Ends the emulator with this exit code. Without an emulator, the core stops. */
__attribute__((noreturn)) void chip_exit(int code);

static inline void chip_disable_interrupts(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void chip_enable_interrupts(void)
{
    __asm__ volatile("cpsie i\n\tisb" ::: "memory");
}

/** Sleeps until an interrupt is pending. A masked interrupt ends the sleep, too. */
static inline void chip_wait_for_interrupt(void)
{
    __asm__ volatile("dsb\n\twfi" ::: "memory");
}

/** Returns the number of the running handler: 15 SysTick, 14 PendSV; 0 in thread code. */
static inline uint32_t chip_exception(void)
{
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

#endif
