/* SPDX-License-Identifier: MIT */
/**
 * @file
 * tickwheel together with FreeRTOS. A separate task runs the callbacks, and the kernel's tick counts.
 * docs/freertos.md explains the set-up, and lists what FreeRTOSConfig.h may choose.
 */
#ifndef TICKWHEEL_FREERTOS_H
#define TICKWHEEL_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

/* FreeRTOSConfig.h is often C only, for example where it declares the function that configASSERT() calls. Not every
 * version of the kernel includes it inside of extern "C". */
#ifdef __cplusplus
extern "C" {
#endif
#include <FreeRTOS.h>
#include <task.h>
#ifdef __cplusplus
}
#endif

#ifndef TICKWHEEL_FREERTOS_CONFIG_H
#error "FreeRTOSConfig.h must include tickwheel/freertos_config.h at its end"
#endif
#if portUSING_MPU_WRAPPERS == 1
#error "tickwheel does not support MPU wrappers: set configENABLE_MPU to 0, or take a port of the kernel without MPU"
#endif
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#error "tickwheel runs on one core: set configNUMBER_OF_CORES to 1"
#endif

#include <tickwheel/tickwheel.h>

/** @private The kernel's first tick. */
#ifdef configINITIAL_TICK_COUNT
#define TICKWHEEL_FREERTOS_FIRST_TICK_ (configINITIAL_TICK_COUNT)
#else
#define TICKWHEEL_FREERTOS_FIRST_TICK_ 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Creates the task that runs the callbacks, once. The scheduler need not run yet. From main() or a task. A firmware
 * that creates timers by xTimerCreate() need not call it.
 */
void tickwheel_freertos_start(void);

/** @return the task that runs the callbacks; NULL before tickwheel_freertos_start() */
TaskHandle_t tickwheel_freertos_task(void);

/**
 * Prepares for another start of the scheduler, after it has ended. Call it with the kernel's vTaskResetState(), and
 * not from a callback. The next tickwheel_freertos_start() creates the task again. Timers stay armed for as many
 * ticks as they had left, so stop those whose memory you use again. vTimerResetState() of freertos_timers.h calls
 * this.
 */
void tickwheel_freertos_reset(void);

/**
 * Disarms a timer, and waits until its callback is over if that is running in the task. From a task. It looks again
 * each tick. While the scheduler is suspended it does not wait.
 * @return 1 if it was pending and will not fire, 0 if it was idle, -1 if the callback still runs after
 * `ticks_to_wait` ticks, or the caller is that callback, or the scheduler is suspended while the callback is running;
 * nothing has changed
 */
int tickwheel_freertos_delete_sync(struct timer_list *timer, TickType_t ticks_to_wait);

/** @private The tick of the wheel in which the kernel's count begins. */
extern jiffies_t tickwheel_freertos_first_;

/** Converts a tick of the wheel to the kernel's tick count. */
static inline TickType_t tickwheel_freertos_tick_count(jiffies_t tick)
{
    return tick - tickwheel_freertos_first_ + TICKWHEEL_FREERTOS_FIRST_TICK_;
}

/** Converts a tick count of the kernel to a tick of the wheel. */
static inline jiffies_t tickwheel_freertos_jiffies(TickType_t tick_count)
{
    return tick_count - TICKWHEEL_FREERTOS_FIRST_TICK_ + tickwheel_freertos_first_;
}

#ifdef __cplusplus
}
#endif

#endif
