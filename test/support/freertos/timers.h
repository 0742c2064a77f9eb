/* SPDX-License-Identifier: MIT */
/*
 * NOT FreeRTOS: see FreeRTOS.h. The software timers as the kernel's pages describe them. STAND_IN_KERNEL is 10 or 11:
 * version 11 has BaseType_t for "reloads", and two functions below xTimerGenericCommand().
 */
#pragma once

#include <task.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tmrTimerControl;
typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t timer);
typedef void (*PendedFunction_t)(void *first, uint32_t second);

#if STAND_IN_KERNEL >= 11
typedef BaseType_t stand_in_reloads;
#else
typedef UBaseType_t stand_in_reloads;
#endif

/* The commands in the kernel's queue. */
#define tmrCOMMAND_START ((BaseType_t)1)
#define tmrCOMMAND_RESET ((BaseType_t)2)
#define tmrCOMMAND_STOP ((BaseType_t)3)
#define tmrCOMMAND_CHANGE_PERIOD ((BaseType_t)4)
#define tmrCOMMAND_DELETE ((BaseType_t)5)
#define tmrFIRST_FROM_ISR_COMMAND ((BaseType_t)6)
#define tmrCOMMAND_STOP_FROM_ISR ((BaseType_t)8)
#define tmrCOMMAND_CHANGE_PERIOD_FROM_ISR ((BaseType_t)9)

TimerHandle_t xTimerCreate(const char *name, TickType_t period, stand_in_reloads reloads, void *id,
                           TimerCallbackFunction_t callback);
TimerHandle_t xTimerCreateStatic(const char *name, TickType_t period, stand_in_reloads reloads, void *id,
                                 TimerCallbackFunction_t callback, StaticTimer_t *buffer);
void *pvTimerGetTimerID(TimerHandle_t timer);
void vTimerSetTimerID(TimerHandle_t timer, void *id);
BaseType_t xTimerIsTimerActive(TimerHandle_t timer);
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void);
const char *pcTimerGetName(TimerHandle_t timer);
void vTimerSetReloadMode(TimerHandle_t timer, stand_in_reloads reloads);
UBaseType_t uxTimerGetReloadMode(TimerHandle_t timer);
TickType_t xTimerGetPeriod(TimerHandle_t timer);
TickType_t xTimerGetExpiryTime(TimerHandle_t timer);

#if configUSE_TRACE_FACILITY == 1
void vTimerSetTimerNumber(TimerHandle_t timer, UBaseType_t number);
UBaseType_t uxTimerGetTimerNumber(TimerHandle_t timer);
#endif

#if STAND_IN_KERNEL >= 11
void vTimerResetState(void);
BaseType_t xTimerGenericCommandFromTask(TimerHandle_t timer, BaseType_t what, TickType_t value, BaseType_t *woken,
                                        TickType_t ticks_to_wait);
BaseType_t xTimerGenericCommandFromISR(TimerHandle_t timer, BaseType_t what, TickType_t value, BaseType_t *woken,
                                       TickType_t ticks_to_wait);
#define xTimerGenericCommand(timer, what, value, woken, ticks_to_wait)                                               \
    (((what) < tmrFIRST_FROM_ISR_COMMAND ? xTimerGenericCommandFromTask                                              \
                                         : xTimerGenericCommandFromISR)(timer, what, value, woken, ticks_to_wait))
#else
BaseType_t xTimerGenericCommand(TimerHandle_t timer, BaseType_t what, TickType_t value, BaseType_t *woken,
                                TickType_t ticks_to_wait);
#endif

#define xTimerStart(timer, ticks_to_wait)                                                                            \
    xTimerGenericCommand(timer, tmrCOMMAND_START, xTaskGetTickCount(), NULL, ticks_to_wait)
#define xTimerStop(timer, ticks_to_wait) xTimerGenericCommand(timer, tmrCOMMAND_STOP, 0, NULL, ticks_to_wait)
#define xTimerChangePeriod(timer, period, ticks_to_wait)                                                             \
    xTimerGenericCommand(timer, tmrCOMMAND_CHANGE_PERIOD, period, NULL, ticks_to_wait)
#define xTimerDelete(timer, ticks_to_wait) xTimerGenericCommand(timer, tmrCOMMAND_DELETE, 0, NULL, ticks_to_wait)

/* The command that xTimerStartFromISR() and its relatives send for this command of a task. */
#define stand_in_from_isr(command) ((BaseType_t)((command) + tmrFIRST_FROM_ISR_COMMAND - tmrCOMMAND_START))

#ifdef __cplusplus
}
#endif
