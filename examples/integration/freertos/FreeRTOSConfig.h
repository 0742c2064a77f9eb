/* SPDX-License-Identifier: MIT */
/* FreeRTOS on the MPS2 board with the AN385 image, a Cortex-M3. The second half is what tickwheel needs. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 25000000
#define configTICK_RATE_HZ 1000
#define configUSE_16_BIT_TICKS 0
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configMAX_PRIORITIES 5
#define configMINIMAL_STACK_SIZE 128
#define configSUPPORT_DYNAMIC_ALLOCATION 0
/* Priorities as the registers have them: 0xFF is the least urgent. */
#define configKERNEL_INTERRUPT_PRIORITY 0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#define xPortSysTickHandler SysTick_Handler

/* The timers of the kernel are off. xTimerStart() and the like are those of tickwheel_freertos_timers.cpp. */
#define configUSE_TIMERS 0
#define configUSE_TICKLESS_IDLE 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1
/* The task of the callbacks. */
#define configTIMER_TASK_PRIORITY 4
#define configTIMER_TASK_STACK_DEPTH 256
#include <tickwheel/freertos_config.h>

#endif
