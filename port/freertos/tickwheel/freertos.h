/* SPDX-License-Identifier: MIT */
/**
 * @file
 * tickwheel beside FreeRTOS. A task of its own runs the callbacks, and the kernel's tick counts. docs/rtos.md
 * explains the set-up.
 *
 * FreeRTOSConfig.h may define these:
 * - `TICKWHEEL_FREERTOS_PRIORITY`: the task's priority. Default: configTIMER_TASK_PRIORITY, else the highest.
 * - `TICKWHEEL_FREERTOS_STACK`: its stack in words. Default: configTIMER_TASK_STACK_DEPTH, else
 *   configMINIMAL_STACK_SIZE.
 * - `TICKWHEEL_FREERTOS_BUDGET`: after so many steps it yields to tasks of its priority. Default: 16.
 */
#ifndef TICKWHEEL_FREERTOS_H
#define TICKWHEEL_FREERTOS_H

#include <FreeRTOS.h>
#include <task.h>

#ifndef TICKWHEEL_FREERTOS_CONFIG_H
#error "FreeRTOSConfig.h must include tickwheel/freertos_config.h at its end"
#endif

#include <tickwheel/tickwheel.h>

/** @private The kernel's first tick. */
#ifdef configINITIAL_TICK_COUNT
#define TICKWHEEL_FREERTOS_FIRST_TICK_ ((TickType_t)configINITIAL_TICK_COUNT)
#else
#define TICKWHEEL_FREERTOS_FIRST_TICK_ ((TickType_t)0)
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
 * Disarms a timer, and waits until its callback is over if that is running in the task. From a task, with the
 * scheduler running. It looks again each tick.
 * @return 1: was pending, and will not fire; 0: was idle; -1: the callback is still running after `ticks_to_wait`
 *         ticks, or the caller is that callback; nothing has changed
 */
int tickwheel_freertos_delete_sync(struct timer_list *timer, TickType_t ticks_to_wait);

/** Converts a tick of the wheel to the kernel's tick count. */
static inline TickType_t tickwheel_freertos_tick_count(jiffies_t tick)
{
    return tick - TICKWHEEL_INITIAL_JIFFIES + TICKWHEEL_FREERTOS_FIRST_TICK_;
}

/** Converts a tick count of the kernel to a tick of the wheel. */
static inline jiffies_t tickwheel_freertos_jiffies(TickType_t tick_count)
{
    return tick_count - TICKWHEEL_FREERTOS_FIRST_TICK_ + TICKWHEEL_INITIAL_JIFFIES;
}

#ifdef __cplusplus
}
#endif

#endif
