/* SPDX-License-Identifier: MIT */
/*
 * A typical vendor's chip header: the clock, SysTick, a serial line. The chip is that
 * of the MPS2 board with a Cortex-M3, which QEMU emulates.
 */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

extern uint32_t SystemCoreClock;

/** The start-up code calls this before main(). */
void SystemInit(void);

/** Starts a SysTick interrupt every `cycles` cycles. Returns 1 if 24 bits cannot hold them, else 0. */
uint32_t SysTick_Config(uint32_t cycles);

void chip_print(const char *text);
void chip_print_number(uint32_t number);

/** Ends the emulator with this exit code. Without an emulator, the core stops. */
__attribute__((noreturn)) void chip_exit(int code);

#endif
