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
 * Starts TICKWHEEL_HZ ticks a second, from thread code, with nothing else using SysTick or PendSV.
 *
 * Before it, and after it has returned -1, time stands still: tickwheel_now_us() is what `jiffies` says,
 * tickwheel_idle() and tickwheel_resume_tick() return at once, tickwheel_clock_changed() returns -1, and a SysTick
 * exception that a boot loader has left counts nothing; tickwheel_sleep() waits for ever. Called again, it begins the
 * tick under way anew: `jiffies` goes on, and what had passed of that tick is lost, or of a long period since
 * `jiffies` was made right. Of a new clock tickwheel_clock_changed() loses nothing.
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

/**
 * Sleeps until an interrupt: that of the next timer which is not deferrable, or any other. Then returns, `jiffies`
 * being right; call it in a loop, from thread code, with nothing left to do. Without timers it wakes as seldom as
 * SysTick's 24 bits allow (0.67 s at 25 MHz). Every tick stays where it would have been without sleep.
 *
 * A sleep of several ticks is one long period of SysTick. When another interrupt wakes the core in the middle of it,
 * the ticks that have passed are counted before that interrupt runs. From then on `jiffies` stands still, until the
 * next tickwheel_idle() or tickwheel_resume_tick(), or the end of the period: an interrupt that comes before them may
 * find it a tick old even where the program does nothing but idle. A program that goes on to work, as soon as that
 * may last into the next tick, calls tickwheel_resume_tick() first.
 *
 * Interrupts are masked by PRIMASK for the moment before and after the sleep, also with a BASEPRI lock, since BASEPRI
 * would keep the core from waking. An edge is lost when they are masked for longer than a whole tick: one bit says
 * that one is pending, not how many.
 */
void tickwheel_idle(void);

/**
 * As tickwheel_idle(), but returns at once while *work is not 0, which it looks at with interrupts masked. For a main
 * loop whose work interrupts ask for: one that looks for itself and then calls tickwheel_idle() sleeps over what an
 * interrupt sets between the two.
 */
void tickwheel_idle_unless(const volatile int *work);

/**
 * Makes `jiffies` right, and each tick is counted by itself again, from the next one on. Thread code or any interrupt
 * that PRIMASK masks, so not an NMI or HardFault handler; nothing to do: nothing.
 */
void tickwheel_resume_tick(void);

/**
 * The processor clock, and so SysTick's, is `clock_hz` from now on; what is left of the tick under way is scaled.
 * Call it right after the change, from thread code. Time goes on from where it was, and never goes back. When the end
 * of the tick is too near, nearer than 512 counts and than a quarter of a tick, the call waits for it, with
 * interrupts as they are.
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
    /** How often the core has stopped. Each ends with one wake. */
    uint32_t sleeps;
    /** How often SysTick's current value was written: a timer appeared that was due within a long period, or
     * tickwheel_resume_tick() ended one, or the clock has changed. */
    uint32_t restarts;
    /** How often interrupts kept changing the timers, so that a bound was slept for instead of the next expiry. */
    uint32_t bounds;
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
