/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The wheel driven by the core's own timer. SysTick counts, and PendSV runs the
 * callbacks. This is for a program that leaves both to tickwheel. The two handlers
 * are in one object file with tickwheel_systick_start(), and calling that function
 * links them. A program with its own SysTick_Handler does not need this folder. It
 * calls tickwheel_interrupt() there, as docs/getting-started.md shows.
 */
#ifndef TICKWHEEL_SYSTICK_H
#define TICKWHEEL_SYSTICK_H

#include <stdint.h>

#include <tickwheel/config_check.h>
#include <tickwheel/jiffies.h>

/** Counts of the longest tick, because SysTick has 24 bits. */
#define TICKWHEEL_SYSTICK_MAX_COUNTS 0x1000000u

/**
 * Counts of the shortest tick. SysTick pends only once, so the driver must see each wrap within a tick. This is more
 * than its longest masked section takes at 2.3 cycles an instruction, in a release build by GCC and without its waits
 * for the counter: docs/figures.md has that section. With TICKWHEEL_DEBUG=1 it is longer, so give a tick 2500 counts
 * on a Cortex-M3, and more if your hooks take long.
 */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TICKWHEEL_SYSTICK_MIN_COUNTS 3000u
#else
#define TICKWHEEL_SYSTICK_MIN_COUNTS 1500u
#endif

/**
 * Whether SysTick can make TICKWHEEL_HZ ticks a second from this clock. For a clock that is constant:
 * static_assert(TICKWHEEL_SYSTICK_FITS(SYSTEM_CLOCK_HZ), "..").
 */
#define TICKWHEEL_SYSTICK_FITS(clock_hz)                                                                             \
    ((clock_hz) / TICKWHEEL_HZ >= TICKWHEEL_SYSTICK_MIN_COUNTS &&                                                    \
     (clock_hz) / TICKWHEEL_HZ + ((clock_hz) % TICKWHEEL_HZ != 0u ? 1u : 0u) <= TICKWHEEL_SYSTICK_MAX_COUNTS)

/**
 * @{ The names of the driver's two handlers. They must be those of your vector table. If they are not, nothing
 * fires, and the linker does not report it. Give them by -D, and compile tickwheel_systick.cpp with your program,
 * since the archive has the names below. libopencm3 has sys_tick_handler and pend_sv_handler, the pico-sdk without
 * its cmsis_core isr_systick and isr_pendsv.
 */
#ifndef TICKWHEEL_SYSTICK_HANDLER
#define TICKWHEEL_SYSTICK_HANDLER SysTick_Handler
#endif
#ifndef TICKWHEEL_PENDSV_HANDLER
#define TICKWHEEL_PENDSV_HANDLER PendSV_Handler
#endif
/** @} */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Starts TICKWHEEL_HZ ticks a second. Call it from thread code. Nothing else may use SysTick or PendSV.
 *
 * Before it, and after it has returned -1, time stands still:
 * - tickwheel_now_us() is the time of `jiffies`
 * - tickwheel_idle() returns at once, and tickwheel_sleep() waits for ever
 * - tickwheel_clock_changed() returns -1
 * - a SysTick exception that a boot loader has left counts nothing
 *
 * A second call begins the current tick again. `jiffies` continues, and the part of the tick that had passed is lost.
 * After a change of the clock call tickwheel_clock_changed(), which loses nothing.
 *
 * PendSV, and therefore every callback, gets the lowest priority. SysTick gets the next one above. A callback delays
 * only interrupts of the lowest priority and loses no tick, however long it takes. A BASEPRI lock must mask SysTick.
 * Any value up to the lowest priority but one does.
 *
 * With TICKWHEEL_DEBUG=1 it reports to tickwheel_bug() a vector table that does not lead to the two handlers, and
 * then starts all the same: the table of a boot loader or of a SoftDevice may lead to code that calls them. For such
 * a table let tickwheel_bug() return.
 *
 * If TICKWHEEL_HZ does not divide the clock, some ticks are one cycle longer. On average each tick is exact.
 *
 * @param clock_hz SysTick's clock in Hz, which is the processor clock as it is now
 * @return 0; -1 if a tick would have less than TICKWHEEL_SYSTICK_MIN_COUNTS or more than SysTick's 24 bits; then
 *         nothing has changed
 */
__attribute__((warn_unused_result)) int tickwheel_systick_start(uint32_t clock_hz);

/**
 * Sleeps until the wheel's next event or any other interrupt, then returns. Call it in a loop, from thread code, when
 * there is nothing left to do. tickwheel_next_event() says what an event is. Deferrable timers are events too.
 * Without timers the core wakes as rarely as SysTick's 24 bits allow (every 0.67 s at 25 MHz). Sleep moves no tick.
 *
 * A sleep of several ticks is one long period of SysTick. It ends within this call. Before any handler runs, the call
 * counts the ticks that passed, and sets SysTick to interrupt at the next tick. `jiffies` is therefore right in every
 * handler.
 *
 * PRIMASK masks interrupts before, during and after the sleep. BASEPRI would keep the core from waking. An interrupt
 * waits at most:
 * - for the code before or after the sleep: `make masked` proves how long that is, and docs/figures.md has it
 * - for some instructions more if it was already pending when the core stopped; they take the sleep back
 * - 64 counts more if the next tick is that near, because the driver waits for it masked
 *
 * SysTick pends only once. Never mask interrupts for a whole tick, or that tick is lost.
 */
void tickwheel_idle(void);

/**
 * Like tickwheel_idle(), but returns at once while *work is not 0. It reads *work with interrupts masked. Use it when
 * interrupts give work to the main loop. If the main loop reads *work and then calls tickwheel_idle(), an interrupt
 * may set *work between the two, and the core sleeps although there is work. The flag is an int; interrupts write it,
 * so declare it volatile int.
 */
void tickwheel_idle_unless(const volatile int *work);

/**
 * The processor clock, and with it SysTick's, is `clock_hz` from now on. Call it right after the change, from thread
 * code. It scales the rest of the current tick. Time never goes back. If the end of the tick is nearer than 64
 * counts, the call waits for it masked.
 * @return 0; -1 for a clock that tickwheel_systick_start() refuses, or before the start; then nothing has changed
 */
__attribute__((warn_unused_result)) int tickwheel_clock_changed(uint32_t clock_hz);

/**
 * Microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES, rounded down, with the part of the current tick. If
 * tickwheel_init() has set `jiffies` to an earlier tick, the result means nothing before that tick. Never goes back,
 * even when a tick has ended and no handler has counted it yet, unless an interrupt above SysTick has read SysTick's
 * control register. Call it in any context that PRIMASK masks, never in an NMI or HardFault handler. It divides
 * numbers of 64 bits, so it takes longer than other calls.
 */
uint64_t tickwheel_now_us(void);

/**
 * Waits for at least `ticks` whole ticks, and sleeps meanwhile. With 0 it waits for the end of the current tick. It
 * waits for at most 2^31 - 2 ticks, and a debug build reports a longer wait. Thread code only, where PendSV can run.
 */
void tickwheel_sleep(jiffies_t ticks);

/**
 * Waits for at least `milliseconds`, like tickwheel_sleep(): at most 2^31 - 2 ticks, which is 24 days at 1000
 * ticks a second.
 */
static inline void tickwheel_msleep(unsigned milliseconds)
{
    tickwheel_sleep(tickwheel_limited_msecs_(milliseconds, 0x7FFFFFFFu));
}

/** Statistics of all sleeps since reset. */
struct tickwheel_sleeps {
    /** How often the core was stopped and woken. A sleep of several ticks counts twice. */
    uint32_t sleeps;
    /** How often SysTick was restarted, because another interrupt ended a long period or the clock changed. */
    uint32_t restarts;
};
/** The counts so far; any context. */
struct tickwheel_sleeps tickwheel_sleep_counts(void);

/**
 * You may define this function, for example for a HAL with a counter of its own. The driver calls it with the number
 * of ticks whenever it has counted some, before their callbacks run. The caller is SysTick's handler, or code below
 * it with interrupts masked.
 */
void tickwheel_ticks_passed(uint32_t ticks) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
