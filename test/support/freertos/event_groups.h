/* SPDX-License-Identifier: MIT */
/*
 * NOT FreeRTOS: see FreeRTOS.h. What its page on event groups says of the two calls from interrupts. The kernel
 * defines neither of them with configUSE_TIMERS 0, and version 11.3 does not even declare them.
 */
#pragma once

#include <timers.h>

#ifdef __cplusplus
extern "C" {
#endif

struct EventGroupDef_t;
typedef struct EventGroupDef_t *EventGroupHandle_t;
typedef TickType_t EventBits_t;

#if STAND_IN_KERNEL < 11
BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, const EventBits_t bits);
BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, const EventBits_t bits,
                                     BaseType_t *higher_priority_task_woken);
#endif

/* The functions that the two calls pend. A firmware without event groups lacks them. */
void vEventGroupSetBitsCallback(void *group, const uint32_t bits);
void vEventGroupClearBitsCallback(void *group, const uint32_t bits);

#ifdef __cplusplus
}
#endif
