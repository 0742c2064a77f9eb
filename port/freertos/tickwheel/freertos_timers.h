/* SPDX-License-Identifier: MIT */
/**
 * @file
 * FreeRTOS's software timers on the wheel. The types and calls are those of the kernel's own timers.h.
 * tickwheel_freertos_timers.cpp defines them in place of the kernel's timers.c. Set configUSE_TIMERS to 0. Files that
 * include timers.h need no change, unless they call xTimerPendFunctionCall() or set the bits of an event group in an
 * interrupt. docs/freertos.md lists what differs, and what FreeRTOSConfig.h may choose.
 */
#ifndef TICKWHEEL_FREERTOS_TIMERS_H
#define TICKWHEEL_FREERTOS_TIMERS_H

#include <tickwheel/freertos.h>

#include <event_groups.h>
#include <timers.h>

#if configUSE_TIMERS != 0
#error "configUSE_TIMERS must be 0: the kernel's timers.c defines the same functions"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Not every version of the kernel declares these, or only with choices that need its timers.c. */
BaseType_t xTimerPendFunctionCall(PendedFunction_t function, void *first, uint32_t second, TickType_t ticks_to_wait);
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t function, void *first, uint32_t second,
                                         BaseType_t *higher_priority_task_woken);
BaseType_t xTimerGetReloadMode(TimerHandle_t timer);
BaseType_t xTimerGetStaticBuffer(TimerHandle_t timer, StaticTimer_t **buffer);
void vTimerResetState(void);
#ifndef xEventGroupSetBitsFromISR
BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, const EventBits_t bits,
                                     BaseType_t *higher_priority_task_woken);
#endif
#ifndef xEventGroupClearBitsFromISR
BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, const EventBits_t bits);
#endif

#ifdef __cplusplus
}
#endif

#endif
