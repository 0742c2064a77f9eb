/* SPDX-License-Identifier: MIT */
/**
 * @file
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
#include <tickwheel/jiffies.h>

/** Counts of the longest tick: SysTick has 24 bits. */
#define TICKWHEEL_SYSTICK_MOST_COUNTS 0x1000000u

/**
 * Counts of the shortest tick. One bit says that an edge is pending, so the driver must look for it once a tick.
 * Between two looks it executes at most 655 instructions on a Cortex-M3 or M4 and 914 on a Cortex-M0
 * (`make masked-sleep`), nearly all of them in tickwheel_next_event(). These take less than a tick of 1000 cycles, or
 * of 2000 on a Cortex-M0.
 */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define TICKWHEEL_SYSTICK_LEAST_COUNTS 2000u
#else
#define TICKWHEEL_SYSTICK_LEAST_COUNTS 1000u
#endif

/**
 * Whether SysTick can make TICKWHEEL_HZ ticks a second of a clock that is known when the program is compiled:
 * static_assert(TICKWHEEL_SYSTICK_FITS(SYSTEM_CLOCK_HZ), "..").
 */
#define TICKWHEEL_SYSTICK_FITS(clock_hz)                                                                             \
    ((clock_hz) / TICKWHEEL_HZ >= TICKWHEEL_SYSTICK_LEAST_COUNTS &&                                                  \
     (clock_hz) / TICKWHEEL_HZ + ((clock_hz) % TICKWHEEL_HZ != 0u ? 1u : 0u) <= TICKWHEEL_SYSTICK_MOST_COUNTS)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Starts TICKWHEEL_HZ ticks a second, from thread code, with nothing else using SysTick or PendSV.
 *
 * Before it, and after it has returned -1, time stands still: tickwheel_now_us() is what `jiffies` says,
 * tickwheel_idle() returns at once, tickwheel_clock_changed() returns -1, and a SysTick exception that a boot loader
 * has left counts nothing; tickwheel_sleep() waits for ever. Called again, it begins the tick under way anew:
 * `jiffies` goes on, and what had passed of that tick is lost. After a change of the clock call
 * tickwheel_clock_changed(), which loses nothing.
 *
 * PendSV, and so every callback, gets the lowest priority, SysTick the next one above: a callback holds up no
 * other interrupt and loses no tick, however long it takes. With a BASEPRI lock, its priority must mask SysTick's:
 * any value up to that of the lowest priority but one does.
 *
 * Where TICKWHEEL_HZ does not divide the clock, some ticks are one cycle longer, so that on average each is exact.
 *
 * @param clock_hz what SysTick counts, in Hz: the processor clock as it is now
 * @return 0; -1, with nothing changed, when a tick would be shorter than TICKWHEEL_SYSTICK_LEAST_COUNTS or longer
 *         than SysTick's 24 bits
 */
__attribute__((warn_unused_result)) int tickwheel_systick_start(uint32_t clock_hz);

/**
 * Sleeps until an interrupt: that of the wheel's next event, or any other. Then returns; call it in a loop, from
 * thread code, with nothing left to do. An event is the expiry of a timer, a deferrable one too, or a cascade.
 * Without timers the core wakes as seldom as SysTick's 24 bits allow (0.67 s at 25 MHz). Every tick stays where it
 * would have been without sleep.
 *
 * A sleep of several ticks is one long period of SysTick. It never outlives this call: however the sleep ended, the
 * ticks that passed are counted, and SysTick interrupts at the next tick, before any handler runs. `jiffies` is
 * therefore right in every handler and after the call, as it is without sleep.
 *
 * PRIMASK masks interrupts from before the sleep until then, also with a BASEPRI lock, since BASEPRI would keep the
 * core from waking. An interrupt waits for what comes before the sleep or for what comes after it: at -Os at most 655
 * instructions on a Cortex-M3 or M4 and 914 on a Cortex-M0 (`make masked-sleep`). One that is pending
 * already when the core is about to stop waits for about 150 more, which take the sleep back. Where the next tick
 * begins within 64 counts, the driver waits for it masked. An edge is lost when interrupts are masked for longer than
 * a whole tick: one bit says that one is pending, not how many.
 */
void tickwheel_idle(void);

/**
 * As tickwheel_idle(), but returns at once while *work is not 0, which it looks at with interrupts masked. For a main
 * loop whose work interrupts ask for: one that looks for itself and then calls tickwheel_idle() sleeps over what an
 * interrupt sets between the two.
 */
void tickwheel_idle_unless(const volatile int *work);

/**
 * The processor clock, and so SysTick's, is `clock_hz` from now on; what is left of the tick under way is scaled.
 * Call it right after the change, from thread code. Time goes on from where it was, and never goes back. Where the
 * end of the tick is nearer than 64 counts, the call waits for it masked.
 * @return 0; -1, with nothing changed, as there, or before the start
 */
__attribute__((warn_unused_result)) int tickwheel_clock_changed(uint32_t clock_hz);

/**
 * Microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES, rounded down, with the part of the tick that has
 * passed. Never goes back, across an edge that no handler has seen yet either. Any context that PRIMASK masks, so
 * not an NMI or HardFault handler; about a thousand instructions.
 */
uint64_t tickwheel_now_us(void);

/**
 * Waits for at least `ticks` whole ticks, and sleeps meanwhile; with 0 until the tick under way ends. Of more than
 * 2^31 - 2 ticks it waits for so many. Thread code only, where PendSV can run.
 */
void tickwheel_sleep(jiffies_t ticks);

/**
 * Waits for at least so many milliseconds, as tickwheel_sleep(). Of more than 2^31 - 1 of them, or than
 * TICKWHEEL_MAX_JIFFY_OFFSET ticks, it waits for that many ticks: 12 days at 1000 a second.
 */
static inline void tickwheel_msleep(unsigned milliseconds)
{
    tickwheel_sleep(tickwheel_msecs_to_jiffies(milliseconds));
}

/** What sleeping has come to, since the start. */
struct tickwheel_sleeps {
    /** How often the core was stopped. Each ends with one wake; a sleep of several ticks has two. */
    uint32_t sleeps;
    /** How often SysTick's current value was written: another interrupt ended a long period, or the clock has
     * changed. */
    uint32_t restarts;
};
/** The counts so far; any context. */
struct tickwheel_sleeps tickwheel_sleep_counts(void);

/**
 * Yours, if you define it: called whenever ticks have been counted, before their callbacks, with how many; in the
 * interrupt of SysTick or below it with interrupts masked. For a HAL that keeps a counter of its own.
 */
void tickwheel_ticks_passed(uint32_t ticks) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
