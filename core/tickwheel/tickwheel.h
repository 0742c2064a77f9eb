/* SPDX-License-Identifier: MIT */
/* clang-format off */
/**
 * @file
 * The C API of tickwheel: the types and calls of one timer wheel. tickwheel/timer.h adds the Linux kernel's own names.
 * Calls on a timer behave as in Linux before 4.8, timer_reduce() as in 4.15, timer_delete() and timer_shutdown() as in
 * 6.2. mod_timer_idle(), mod_timer_within(), and the calls that run or search the wheel, are not from Linux.
 *
 * Times are ticks. A timer fires once, in the tick that it is armed for, and never early. If the runner has already begun
 * that tick, the timer fires in the next one that it begins. Timers of one tick fire in the order of their arming.
 *
 * Delays up to 2^31 - 1 ticks from `jiffies` are exact, in one-shot mode up to 0x5FFFFFFF. A tick that is 2^31 or more ahead
 * reads as past. The lag, the number of ticks that are counted and not yet run, must stay below 2^31 ticks too. The tick of a
 * pending timer must be at most 2^31 ticks ago.
 *
 * TICKWHEEL_GEOMETRY=1 keeps the same timers in one ordered list. Each call has the same results. Where the list is exact and
 * the wheel is not, the call says so.
 *
 * Contexts: thread code, callbacks and every interrupt that the port's lock masks may make any call, unless the call says
 * otherwise. Interrupts that are off stay off. A wheel belongs to one core, unless two cores share its lock.
 *
 * Misuse: a build with TICKWHEEL_DEBUG=1 reports each row to tickwheel_bug(), unless the row says otherwise. Its checks
 * take constant time. In a list an arm's check looks at all pending timers.
 *
 * | misuse                                    | TICKWHEEL_DEBUG=0            | TICKWHEEL_DEBUG=1, after the report |
 * |-------------------------------------------|------------------------------|-------------------------------------|
 * | a null timer, a null pointer for a tick   | undefined                    | does nothing, returns 0             |
 * | arming a timer that is shut down (1)      | does nothing, returns 0 (2)  | the same                            |
 * | arming a timer that is all zeros          | does nothing, returns 0 (2)  | does nothing, returns 0             |
 * | arming memory that was never a timer (3)  | broken list                  | does nothing, returns 0             |
 * | add_timer of a pending timer              | leaves the timer as it is    | the same                            |
 * | timer_setup without a function            | the timer ignores every arm  | the same                            |
 * | timer_setup with unknown flags            | ignores these flags          | the same                            |
 * | timer_setup of a pending timer            | broken list                  | does nothing                        |
 * | a _sync call while the callback runs (4)  | returns -1                   | the same                            |
 * | a timer of another wheel                  | broken list                  | does nothing, returns 0             |
 * | overwriting a pending timer               | broken list                  | drops all timers of its slot (5)    |
 * | a delay of 2^31 ticks or more             | the tick reads as past       | the same, without a report          |
 * | start_after_ms beyond 2^31 - 2 ticks      | counts as 2^31 - 2           | the same                            |
 * | advance to a lag of 2^31 ticks            | counts; timers may fire late | the same                            |
 * | init during a run                         | does nothing                 | the same                            |
 * | init while a timer is pending             | broken list                  | does nothing                        |
 * | a call from an unmasked interrupt (6)     | broken list                  | continues                           |
 * | a run in PendSV that keeps ticks out (7)  | loses ticks                  | the same                            |
 *
 * Broken list: the wheel follows wrong links. It may lose timers, call them again, never return, or overwrite memory.
 * (1) Except in the timer's own callback, and by mod_timer_idle and mod_timer_pending. (2) mod_timer_idle returns -1. (3) Not
 * noticed if the memory looks like an idle timer. (4) By delete_sync or shutdown_sync, in that callback or in an interrupt
 * above it. (5) By the next arm or run that reaches the slot. A list is one slot. A call for the overwritten timer does
 * nothing and returns 0. (6) One that the lock does not mask. Only the ports for Arm report it. (7) PendSV is not below the
 * tick's interrupt. Only port/cortex_m reports it.
 */
/* clang-format on */
#ifndef TICKWHEEL_TICKWHEEL_H
#define TICKWHEEL_TICKWHEEL_H

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/config_check.h>
#include <tickwheel/jiffies.h>

enum {
    /** A flag of tickwheel_timer_setup(): tickwheel_next_expiry() ignores the timer. */
    TICKWHEEL_TIMER_DEFERRABLE = 1
};

/** Marks the calls that one-shot mode does not have. */
#if !TICKWHEEL_ONE_SHOT
#define TICKWHEEL_FOR_TICKS_
#elif defined(__clang__)
#define TICKWHEEL_FOR_TICKS_ __attribute__((unavailable("TICKWHEEL_ONE_SHOT=1: use tickwheel_interrupt()")))
#else
#define TICKWHEEL_FOR_TICKS_ __attribute__((error("TICKWHEEL_ONE_SHOT=1: use tickwheel_interrupt()")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A timer. Embed it in your own object. Its memory must stay valid while it is pending. It has 20 bytes on a
 * 32-bit core, 24 with TICKWHEEL_DEBUG=1. While it is idle, `expires` and `function` are yours. All other members
 * belong to the wheel. The comments on `prev`, `next` and `slot` are those of a wheel: a list is a ring without NULL.
 */
struct timer_list {
    struct timer_list *prev; /**< the next older timer; in the oldest, the youngest; NULL exactly while idle */
    struct timer_list *next; /**< the next younger timer of the slot; NULL in the youngest */
    void (*function)(struct timer_list *); /**< called with this timer when it fires */
    jiffies_t expires;                     /**< the tick it was armed for; tickwheel_add_timer() reads it */
    uint16_t slot;                         /**< the number of its slot, while pending */
    uint8_t deferrable;                    /**< 1: TICKWHEEL_TIMER_DEFERRABLE */
    uint8_t enabled; /**< 1 from set-up to shutdown; while it is 0 the wheel ignores arms, so zeros do nothing */
#if TICKWHEEL_DEBUG
    uint32_t seal; /**< a sum over the other words and the addresses; the wheel follows links where it is right */
#endif
};

/**
 * `jiffies` in 64 bits, never torn. It starts at TICKWHEEL_INITIAL_JIFFIES. From the same contexts as `jiffies`. The
 * lag before the call, and what interrupts the call, must last less than 2^31 ticks together.
 */
uint64_t tickwheel_get_jiffies_64(void);

/**
 * Returns the current tick: `jiffies`, plus one if a tick has begun whose interrupt waits because the caller masks it
 * or is an interrupt above it. To wait at least n whole ticks, arm for tickwheel_current_tick() + n + 1. From every
 * context that the lock masks.
 *
 * The library's function is weak. It asks the port: port/cortex_m sees that SysTick is pending, while other ports see
 * no pending tick and return `jiffies`. An interrupt above SysTick that comes between the start of SysTick's handler
 * and its count gets `jiffies` too. The ready-made handlers of port/cortex_m_systick have a function of their own,
 * which is exact unless other code reads SysTick's COUNTFLAG. A program whose tick comes from another timer may
 * define one (port/README.md). In one-shot mode it returns the counter.
 */
jiffies_t tickwheel_current_tick(void);

/** Initialises a timer. The memory must not hold a pending timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE. */
void tickwheel_timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags);

/**
 * Arms an idle timer, or moves a pending one, in one step. A move is a new arming, so the timer goes after others of
 * its tick. A move to the tick that the timer already has changes nothing.
 * @return 1 if the timer was pending, 0 if it was idle or is shut down. After a shutdown nothing changes.
 */
int tickwheel_mod_timer(struct timer_list *timer, jiffies_t expires);

/** Arms an idle timer at timer->expires. */
void tickwheel_add_timer(struct timer_list *timer);

/** Moves a pending timer, and leaves an idle one idle. @return as tickwheel_mod_timer() */
int tickwheel_mod_timer_pending(struct timer_list *timer, jiffies_t expires);

/**
 * Arms an idle timer, and leaves a pending one as it is. For timers that re-arm themselves while an interrupt may
 * stop or restart them.
 * @return 0 if it was idle and is armed now, 1 if it was pending, -1 if it is shut down
 */
int tickwheel_mod_timer_idle(struct timer_list *timer, jiffies_t expires);

/** Arms an idle timer, and moves a pending one only to an earlier tick. @return as tickwheel_mod_timer() */
int tickwheel_timer_reduce(struct timer_list *timer, jiffies_t expires);

/**
 * Arms an idle timer, or moves a pending one, to the tick of [first, last] with the most trailing zero bits. Ranges
 * that overlap tend to share a tick, which wakes a sleeper once. If the runner has already begun the chosen tick, the
 * timer fires in the next one that the runner begins. A timer that is pending within the range does not move. If
 * `first` is after `last`, only `last` counts. It takes as long as tickwheel_mod_timer().
 * @return as tickwheel_mod_timer()
 */
int tickwheel_mod_timer_within(struct timer_list *timer, jiffies_t first, jiffies_t last);

/**
 * Disarms a timer. Never waits.
 * @return 1 if the timer was pending, and will not fire; 0 if it was idle. If the runner has taken it already, its
 * callback still runs.
 */
int tickwheel_timer_delete(struct timer_list *timer);

/**
 * Disarms a timer, unless its callback is running or about to run. In that case the caller is that callback, or an
 * interrupt above it.
 * @return 1 or 0 as tickwheel_timer_delete(), or -1 if the callback runs and nothing has changed
 */
int tickwheel_try_to_del_timer_sync(struct timer_list *timer);

/** As tickwheel_try_to_del_timer_sync(), but -1 is misuse. After 1 or 0 the callback is not running. Never waits. */
int tickwheel_timer_delete_sync(struct timer_list *timer);

/** @{ As _delete and _delete_sync. The wheel then ignores arms until tickwheel_timer_setup(), also after -1. */
int tickwheel_timer_shutdown(struct timer_list *timer);
int tickwheel_timer_shutdown_sync(struct timer_list *timer);
/** @} */

/**
 * Tells whether a timer is pending.
 * @return 1 from arming until the runner takes the timer or a call deletes it, else 0. In its own callback it is 0
 * until a re-arm.
 */
int tickwheel_timer_pending(const struct timer_list *timer);

/**
 * An inactivity time-out: a software watchdog, a keep-alive, a receive time-out. Its function is called at its
 * deadline, unless the timer is restarted or stopped first. It is 8 bytes larger than a timer_list.
 * inactivity_timer.hpp explains how it works.
 */
struct tickwheel_inactivity_timer {
    struct timer_list timer; /**< in the function, timer.expires is the deadline that has come, until a restart */
    jiffies_t deadline;      /**< while it is pending, its deadline */
    void (*function)(struct tickwheel_inactivity_timer *); /**< called with this timer */
};

/** As tickwheel_timer_setup(). */
void tickwheel_inactivity_setup(struct tickwheel_inactivity_timer *timer,
                                void (*function)(struct tickwheel_inactivity_timer *), unsigned flags);

/**
 * Starts the timer, or replaces its deadline by the tick `expires`, less than 2^31 ticks from now and from the
 * deadline before. A tick that is past or has begun counts as the next one. It takes ten instructions or fewer and
 * no lock, unless the wheel must move the timer. After tickwheel_timer_shutdown() of its `timer` it does nothing.
 */
void tickwheel_inactivity_restart_at(struct tickwheel_inactivity_timer *timer, jiffies_t expires);

/**
 * Stops the timer.
 * @return 1 if it was pending, and its function will not be called for that deadline; 0 if it was idle, or if its
 * call has begun
 */
int tickwheel_inactivity_stop(struct tickwheel_inactivity_timer *timer);

/** Tells whether the timer waits. @return 1 from a restart until its call begins or it is stopped; else 0 */
int tickwheel_inactivity_pending(const struct tickwheel_inactivity_timer *timer);

/**
 * Counts one tick and runs the due timers. For SysTick_Handler(). If two ticks begin during its run, one is lost,
 * because SysTick can pend only once. tickwheel_tick() and tickwheel_run() in two handlers avoid that.
 *
 * In one-shot mode it counts the ticks that have passed, runs the due timers, and sets the alarm for the next event.
 * Call it in the alarm's handler after you have cleared the alarm's flag, or in a softirq that this handler pends. A
 * call inside another one returns 0 at once, and the other does the work.
 * @return how many callbacks ran
 */
unsigned tickwheel_interrupt(void);

/**
 * Only in one-shot mode. Starts the wheel and pends the interrupt of the alarm. The counter must run. Timers may be
 * armed before this call, if the counter was reset with the core, but not by an interrupt within it.
 */
void tickwheel_start(void);

/**
 * Only in one-shot mode. As tickwheel_interrupt(), but stops after `steps` steps, as tickwheel_run_budget() counts
 * them. If work is left, it pends the alarm's interrupt and returns.
 */
unsigned tickwheel_interrupt_budget(unsigned steps);

/**
 * Counts one tick, in constant time and without the lock. tickwheel_tick(), tickwheel_advance(),
 * tickwheel_interrupt() and tickwheel_init() belong to one context at a time.
 * @return 1 if tickwheel_run() must be called, although it may find nothing to call; else 0. It stays 1 until a
 * run catches up.
 */
int tickwheel_tick(void) TICKWHEEL_FOR_TICKS_;

/**
 * Runs the due timers in the caller's context, with interrupts as the caller has set them.
 * @return how many callbacks ran. Inside another run it returns 0 at once, and the other run does the work.
 */
unsigned tickwheel_run(void) TICKWHEEL_FOR_TICKS_;

/**
 * As tickwheel_run(), but stops after `steps` steps. Each callback, each timer that moves to a lower level, and
 * each due tick without a callback is one step. Ending a block costs seven steps, and jumping to a timer's tick
 * fourteen, even if fewer are left. The end of a block may move one timer more. In a list a step is a callback, or
 * the end of a quarter of the range of `jiffies`. The remaining timers stay pending, in order and deletable.
 * tickwheel_due() returns 1 if a counted tick remains. If only moves remain, they wait for the next tick, whose
 * tickwheel_tick() returns 1.
 * @param steps up to 2^31 - 1; bit 31 does not count
 * @return how many callbacks ran; 0 may mean that all steps went into moves
 */
unsigned tickwheel_run_budget(unsigned steps) TICKWHEEL_FOR_TICKS_;

/** Tells a main loop before it sleeps whether ticks are left. @return 1 if a counted tick is not finished, else 0 */
int tickwheel_due(void) TICKWHEEL_FOR_TICKS_;

/**
 * Counts `ticks` ticks at once, after a sleep or another pause. From the first call on a run jumps over empty blocks
 * of 128 ticks (32, if tv1 has 64 slots), so call it once rather than tickwheel_tick() n times.
 * @param ticks below 2^31
 * @return as tickwheel_tick()
 */
int tickwheel_advance(uint32_t ticks) TICKWHEEL_FOR_TICKS_;

/**
 * Finds the earliest tick in which a timer that is not deferrable will fire. The answer is a snapshot. A tick that is
 * not after `jiffies` is due now. The call searches lists in short masked sections, so make it with interrupts on. It
 * starts again if a list changes. After sixteen attempts it returns a lower bound: ask again in that tick. Of an
 * inactivity timer that was restarted it returns the tick in which the wheel moves the timer, not its deadline. In a
 * list it is one masked section, which passes the deferrable timers before the answer.
 * @return 1 if the tick is in *expires, 0 if there is no such timer and *expires is unchanged
 */
int tickwheel_next_expiry(jiffies_t *expires);

/**
 * As tickwheel_next_expiry(), for a caller that already masks interrupts or holds the lock, as a kernel does
 * before it sleeps. It never opens the lock, and looks at no more than `limit` timers, deferrable ones included.
 * @return 1 if the earliest expiry is in *tick; 2 if `limit` timers were not enough, and no such timer will fire
 * before *tick; 0 if there is no such timer and *tick is unchanged
 */
int tickwheel_next_expiry_locked(jiffies_t *tick, unsigned limit);

/**
 * Finds the next tick in which a run has work, in constant time. It is never later than the earliest expiry of any
 * timer. A tick that is not after `jiffies` is due now. Mask interrupts before you ask and sleep: the answer then
 * holds until you unmask them. It may be that the run in that tick only moves timers. In that case ask again.
 * Before a timer expires this happens at most
 * - once for each upper level (four times) in which its slot has another timer, or another slot begins first,
 * - once for each 64 timers of its slot,
 * - once for a deleted timer, and at most once for each move of a timer,
 * - once in each turn of a wheel that covers less than 2^31 ticks.
 *
 * In a list the answer is the earliest expiry of any timer, or 0.
 * @return 1 if the tick is in *tick, 0 if nothing is pending and *tick is unchanged. After deletions, or before a run
 * has caught up, it may be 1 with nothing pending.
 */
int tickwheel_next_event(jiffies_t *tick);

/** Empties the wheel and sets `jiffies` to `start`. Nothing may be pending or running. Not needed after reset. */
void tickwheel_init(jiffies_t start) TICKWHEEL_FOR_TICKS_;

/**
 * The wheel calls this on misuse in a build with TICKWHEEL_DEBUG=1, with its lock open. You may define it. The
 * library's version is weak and stops the CPU with a trap. If it returns, the misused call does what the table
 * above says. `what` names the fault. `timer` may be NULL.
 */
void tickwheel_bug(const char *what, const struct timer_list *timer);

#ifdef __cplusplus
}
#endif

#if !defined(__clang__)
/** @private Never defined. If GCC cannot remove a call of it, that is an error. */
#ifdef __cplusplus
extern "C"
#endif
    __attribute__((error("a delay of more than 2^31 - 2 ticks, in one-shot mode of more than 0x5FFFFFFE"))) void
    tickwheel_delay_too_long_(void);
#endif

/**
 * Arms or moves a timer, which then fires after at least `milliseconds`, and less than two ticks later than that.
 * The longest delay is 2^31 - 2 ticks, or 2^31 - 3 if a tick is pending: 24 days at 1000 ticks a second. A longer
 * constant does not compile with GCC and optimisation. A longer delay in a variable ends 2^31 - 1 ticks after
 * `jiffies`, and debug builds report it. In one-shot mode TICKWHEEL_LONGEST_DELAY takes the place of 2^31 - 1. From
 * the same contexts as tickwheel_mod_timer().
 * @return as tickwheel_mod_timer()
 */
__attribute__((always_inline)) static inline int tickwheel_start_after_ms(struct timer_list *timer,
                                                                          unsigned milliseconds)
{
    const jiffies_t longest = TICKWHEEL_LONGEST_DELAY;
    const jiffies_t delay = tickwheel_limited_msecs_(milliseconds, longest);
#if !defined(__clang__)
    /* Not with clang, which treats a variable as a constant on each path on which its value is known. `milliseconds`
       must be a constant, because GCC knows `delay` on the path where a variable is too long. `delay` must be a
       constant too, because a GCC that inlines nothing does not know its value, and could not remove the call. */
    if (__builtin_constant_p(milliseconds) && __builtin_constant_p(delay) && delay == longest) {
        tickwheel_delay_too_long_();
    }
#endif
    /* One tick more, because the current tick has already begun. */
    jiffies_t expires = tickwheel_current_tick() + delay + 1;
    if (delay > longest / 2) {
        /* `jiffies` is read last, so that a tick in between cannot make the delay look longer. */
        const jiffies_t last = tickwheel_now_() + longest;
        if (tickwheel_time_after(expires, last)) {
            if (TICKWHEEL_DEBUG) {
                tickwheel_bug("tickwheel_start_after_ms: more than 2^31 - 2 ticks", timer);
            }
            expires = last;
        }
    }
    return tickwheel_mod_timer(timer, expires);
}

#endif
