/* SPDX-License-Identifier: MIT */
/* NOT FreeRTOS: see FreeRTOS.h. stand_in.cpp says what each call does, and which page says so. */
#pragma once

#include <FreeRTOS.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);
typedef enum { eAbortSleep, eStandardSleep, eNoTasksWaitingTimeout } eSleepModeStatus;

#define taskSCHEDULER_SUSPENDED ((BaseType_t)0)
#define taskSCHEDULER_NOT_STARTED ((BaseType_t)1)
#define taskSCHEDULER_RUNNING ((BaseType_t)2)

TaskHandle_t xTaskCreateStatic(TaskFunction_t function, const char *name, uint32_t stack_words, void *parameter,
                               UBaseType_t priority, StackType_t *stack, StaticTask_t *task);
void vTaskStartScheduler(void);
void vTaskResetState(void);
void vTaskDelay(TickType_t ticks);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
TickType_t xTaskGetTickCount(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
BaseType_t xTaskGetSchedulerState(void);
BaseType_t xTaskCatchUpTicks(TickType_t ticks);
void vTaskStepTick(TickType_t ticks);
eSleepModeStatus eTaskConfirmSleepModeStatus(void);
BaseType_t xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *higher_priority_task_woken);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks_to_wait);
void taskYIELD(void);
void portYIELD_FROM_ISR(BaseType_t needed);

#ifdef __cplusplus
}
#endif
