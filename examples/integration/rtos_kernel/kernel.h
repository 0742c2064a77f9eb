/* SPDX-License-Identifier: MIT */
/*
 * A small RTOS: threads with fixed priorities that wait and are woken. The kernel
 * owns PendSV, which switches threads. The application owns SysTick.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

enum { kernel_threads_most = 4 };

/**
 * Runs these threads and does not return. A thread's number is its place in the array: 0 is the most urgent. No
 * thread may return, and the last may not wait.
 */
__attribute__((noreturn)) void kernel_start(void (*const *entries)(void), uint32_t count);

/** Returns the running thread, or the thread that an interrupt has interrupted. */
uint32_t kernel_current(void);

/** Waits until kernel_wake(). Returns at once if that was called since the last wait. For thread code. */
void kernel_wait(void);

/** Ends the wait of a thread. For thread code and interrupts. */
void kernel_wake(uint32_t thread);

#endif
