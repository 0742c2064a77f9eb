/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The end of your FreeRTOSConfig.h includes this file. The kernel's own sources see its macros. They make the
 * wheel count each tick of the kernel once, even if the core slept during the tick. They let the kernel sleep
 * until the next timer, and no longer.
 *
 * If you need one of these macros for yourself, #undef it after this include. Define it again with the call that it
 * has here.
 */
#ifndef TICKWHEEL_FREERTOS_CONFIG_H
#define TICKWHEEL_FREERTOS_CONFIG_H

#if defined(configPRE_SUPPRESS_TICKS_AND_SLEEP_PROCESSING) || defined(configPRE_SLEEP_PROCESSING) ||                 \
    defined(configPOST_SLEEP_PROCESSING) || defined(traceINCREASE_TICK_COUNT) || defined(traceTASK_INCREMENT_TICK)
#error                                                                                                               \
    "include tickwheel/freertos_config.h first; then #undef the macro that you need, and call from it what it called"
#endif

/* Some kernels include FreeRTOSConfig.h from files of assembler. */
#if !defined(__ASSEMBLER__)

#include <stdint.h>

/** The kernel is about to count a tick. It holds the tick pending while the scheduler is suspended. */
#define traceTASK_INCREMENT_TICK(tick_count) tickwheel_freertos_tick(tick_count)

/** The kernel plans a sleep, with the scheduler suspended. The macro shortens it to the wheel's next event. */
#define configPRE_SUPPRESS_TICKS_AND_SLEEP_PROCESSING(ticks) ((ticks) = tickwheel_freertos_sleep_limit(ticks))

/** The core is about to stop, masked. The macro says 0, do not stop, if an interrupt has armed an earlier timer. */
#define configPRE_SLEEP_PROCESSING(ticks) ((ticks) = tickwheel_freertos_confirm_sleep(ticks))

/** The core has woken, masked. Counts what has passed before the interrupt that woke the core runs. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define configPOST_SLEEP_PROCESSING(ticks) tickwheel_freertos_woke(ticks)
#endif

/** The kernel adds the ticks of a sleep to its tick count. The wheel does the same. */
#define traceINCREASE_TICK_COUNT(ticks) tickwheel_freertos_step(ticks)

#ifdef __cplusplus
extern "C" {
#endif

/* TickType_t is not known here. The port checks that it is uint32_t. */

/** Counts the tick after `tick_count`; one tick if the scheduler is suspended. */
void tickwheel_freertos_tick(uint32_t tick_count);

/** @return `planned`, or less: the ticks until the wheel's next event. The scheduler is suspended. */
uint32_t tickwheel_freertos_sleep_limit(uint32_t planned);

/** @return `planned`, or 0 if the wheel's next event comes before the end of that sleep. Masked. */
uint32_t tickwheel_freertos_confirm_sleep(uint32_t planned);

/** Counts the whole ticks of a sleep that SysTick has measured so far. Cortex-M only. Masked. */
void tickwheel_freertos_woke(uint32_t planned);

/** Counts ticks that the kernel has slept over, less those that tickwheel_freertos_slept() has counted. */
void tickwheel_freertos_step(uint32_t ticks);

/**
 * For your own sleep code: counts `ticks` ticks of a sleep, before the kernel does. Call it masked, as soon as the
 * core has woken, so that `jiffies` is right in the interrupt that woke it. vTaskStepTick() must follow, with at
 * least as many ticks.
 */
void tickwheel_freertos_slept(uint32_t ticks);

#ifdef __cplusplus
}
#endif

#endif
#endif
