/* SPDX-License-Identifier: MIT */
/*
 * The wheel driven by the core's own timer, for a program that leaves SysTick
 * and PendSV to it: SysTick counts, PendSV runs the callbacks. The handlers stand
 * in one object file with the function below; to call it is what links them.
 * A program that owns SysTick_Handler itself does without this folder and calls
 * tickwheel_interrupt() there (../README.md).
 */
#ifndef TICKWHEEL_SYSTICK_H
#define TICKWHEEL_SYSTICK_H

#include <stdint.h>

#include <tickwheel/config.h>

/**
 * Whether SysTick can make TICKWHEEL_HZ ticks a second of a clock that is known when the program is compiled:
 * static_assert(TICKWHEEL_SYSTICK_FITS(SYSTEM_CLOCK_HZ), "..").
 */
#define TICKWHEEL_SYSTICK_FITS(clock_hz)                                                                             \
    ((clock_hz) / TICKWHEEL_HZ >= 2u &&                                                                              \
     (clock_hz) / TICKWHEEL_HZ + ((clock_hz) % TICKWHEEL_HZ != 0u ? 1u : 0u) <= 1u << 24)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Starts TICKWHEEL_HZ ticks a second. Once, from thread code, with nothing else using SysTick or PendSV.
 *
 * PendSV, and so every callback, gets the lowest priority, SysTick the next one above: a callback holds up no
 * other interrupt and loses no tick, however long it takes. With a BASEPRI lock, its priority must mask SysTick's:
 * any value up to that of the lowest priority but one does.
 *
 * Where TICKWHEEL_HZ does not divide the clock, some ticks are one cycle longer, so that on average each is exact.
 *
 * @param clock_hz what SysTick counts, in Hz: the processor clock as it is now
 * @return 0; -1, with nothing changed, when a tick would be shorter than two cycles or longer than SysTick's 24 bits
 */
__attribute__((warn_unused_result)) int tickwheel_systick_start(uint32_t clock_hz);

#ifdef __cplusplus
}
#endif

#endif
