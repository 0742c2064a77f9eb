/* SPDX-License-Identifier: MIT */
/*
 * NOT FreeRTOS. The names of FreeRTOS that port/freertos uses, for the tests of that port. Written from the kernel's
 * documentation. A firmware takes the real kernel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef uintptr_t StackType_t;

/* Version 11.3 includes it so, outside of extern "C". */
#include <FreeRTOSConfig.h>

#ifdef __cplusplus
extern "C" {
#endif

#define portMAX_DELAY ((TickType_t)0xFFFFFFFF)
#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdFAIL pdFALSE
#define pdPASS pdTRUE

#ifndef configASSERT
#define configASSERT(condition)
#endif
#ifndef configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 0
#endif
#ifndef portUSING_MPU_WRAPPERS
#define portUSING_MPU_WRAPPERS 0
#endif
#ifndef configINITIAL_TICK_COUNT
#define configINITIAL_TICK_COUNT 0
#endif

/* A program gives this memory for a task. The kernel hides its members. */
typedef struct tskTaskControlBlock {
    /* The machine's: what is needed to resume the task. */
    void *context;
    void (*function)(void *);
    void *parameter;
    UBaseType_t priority;
    struct tskTaskControlBlock *next;
    bool blocked;
    /* Whether the tick count `wake_at` ends the wait of a blocked task, and whether a notification does. */
    bool has_time_limit;
    bool waits_for_notification;
    TickType_t wake_at;
    uint32_t notifications;
} StaticTask_t;

/* It is as large as the real one, which has a list item of five words, and members that the kernel's page on static
 * allocation hides. */
typedef struct {
    void *name;
    struct {
        TickType_t value;
        void *links[4];
    } item;
    TickType_t period;
    void *id;
    void (*callback)(void *);
#if configUSE_TRACE_FACILITY == 1
    UBaseType_t number;
#endif
    uint8_t status;
} StaticTimer_t;

void *pvPortMalloc(size_t size);
void vPortFree(void *memory);
void vPortHeapResetState(void);

#ifdef __cplusplus
}
#endif
