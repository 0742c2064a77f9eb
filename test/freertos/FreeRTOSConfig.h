/* SPDX-License-Identifier: MIT */
/* The choices of the test firmware, in addition to those of make. */
#pragma once

#ifndef TICKWHEEL_DEBUG
#define TICKWHEEL_DEBUG 0
#endif

#define configUSE_TIMERS 0
#define configUSE_TICKLESS_IDLE 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTICK_RATE_HZ (STAND_IN_KERNEL == 10 ? 1000000u : 1000u)
#define configMAX_PRIORITIES 5
#define configTIMER_TASK_PRIORITY 3
#define configTIMER_QUEUE_LENGTH 4
#define configMINIMAL_STACK_SIZE 128
/* A timer with checks is larger. StaticTimer_t is so with this choice. */
#define configUSE_TRACE_FACILITY TICKWHEEL_DEBUG
#define TICKWHEEL_FREERTOS_BUDGET 4
#define TICKWHEEL_FREERTOS_EARLY_COMMANDS configTIMER_QUEUE_LENGTH

#define configTIMER_TASK_STACK_DEPTH 256
/* A tick is as long on the machine at both rates: of 25 MHz. */
#define configCPU_CLOCK_HZ (configTICK_RATE_HZ * UINT64_C(25000))
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40

/* A project in C declares it like this. */
void freertos_assert(const char *what);
#define configASSERT(condition) ((condition) ? (void)0 : freertos_assert(#condition))

#include <tickwheel/freertos_config.h>
