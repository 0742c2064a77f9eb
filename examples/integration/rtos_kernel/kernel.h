/* SPDX-License-Identifier: MIT */
/*
 * As much of an RTOS as the example needs: threads of fixed priorities that wait
 * and are woken. It owns PendSV, for the switch; SysTick stays the application's.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

enum { kernel_threads_most = 4 };

/**
 * Runs these threads and does not return. A thread is known by its place among them: 0 is the most urgent. None may
 * return, and the last may not wait.
 */
__attribute__((noreturn)) void kernel_start(void (*const *entries)(void), uint32_t count);

/** The thread that runs, or that an interrupt has interrupted. */
uint32_t kernel_current(void);

/** Until somebody wakes this thread; at once when that has happened since it last waited. From thread code. */
void kernel_wait(void);

/** From anywhere. */
void kernel_wake(uint32_t thread);

#endif
