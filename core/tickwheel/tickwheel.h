/* SPDX-License-Identifier: MIT */
/* clang-format off */
/**
 * @file
 * The C face of tickwheel, prefixed: one timer wheel, types and prototypes.
 * tickwheel/timer.h adds the Linux kernel's own names. What the calls do and
 * return is what Linux's kernel/timer.c has before 4.8, of which this is the
 * wheel; mod_timer_idle, run_budget and all that asks for a next expiry are not
 * of Linux, timer_reduce is of 4.15, timer_delete and timer_shutdown of 6.2.
 *
 * A timer's tick is max(expires, timer_jiffies when armed). It fires then, once,
 * never early; timers of one tick fire in the order in which they were armed.
 * Delays up to 2^31 - 1 ticks from `jiffies` are exact. While tickwheel_run() lags by a block (256 ticks) or more,
 * the delay and the lag together must stay below 2^31 ticks. A tick that is 2^31 or more ahead reads as past.
 *
 * Legal contexts: every call that takes a timer may be made from thread code, from callbacks and from any interrupt
 * that the port's lock masks. A call that is made with interrupts off leaves them off. tickwheel_tick(), _advance(),
 * _interrupt() and _init() belong to one context at a time. One core per wheel.
 *
 * Misuse. A build with TICKWHEEL_DEBUG=1 reports each row to tickwheel_bug(). Its checks take constant time.
 *
 * | misuse                                    | TICKWHEEL_DEBUG=0            | TICKWHEEL_DEBUG=1, after the report |
 * |-------------------------------------------|------------------------------|-------------------------------------|
 * | a null timer, a null pointer for a tick   | undefined                    | does nothing, returns 0             |
 * | arming a timer that is shut down          | does nothing, returns 0      | the same                            |
 * | arming a timer that is all zeros          | does nothing, returns 0      | the same                            |
 * | arming storage that was never a timer     | broken list                  | does nothing, returns 0             |
 * | add_timer of a pending timer              | leaves the timer as it is    | the same                            |
 * | timer_setup without a function            | the timer ignores every arm  | the same                            |
 * | timer_setup of a pending timer            | broken list                  | does nothing                        |
 * | a _sync call in the timer's own callback  | returns -1                   | the same                            |
 * | a timer of another wheel                  | broken list                  | does nothing, returns 0             |
 * | a pending timer, overwritten or made anew | broken list                  | (1)                                 |
 * | a delay and a lag of 2^31 ticks together  | may fire early               | does nothing, returns 0             |
 * | advance to a lag of 2^31 ticks            | counts; timers may fire late | the same                            |
 * | init below a run                          | does nothing                 | the same                            |
 * | init while a timer is pending             | broken list                  | does nothing                        |
 * | a call from above the lock                | broken list                  | goes on                             |
 *
 * Broken list: links are followed wherever they lead. Timers are lost or called again, a run may not end, and memory
 * may be overwritten. (1) A call for that timer does nothing and returns 0. A call or a run that meets it in its slot
 * drops all timers of that slot.
 */
/* clang-format on */
#ifndef TICKWHEEL_TICKWHEEL_H
#define TICKWHEEL_TICKWHEEL_H

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/config.h>
#include <tickwheel/jiffies.h>

enum {
    /** In the flags of tickwheel_timer_setup(): ends no tickless sleep (tickwheel_next_expiry() passes it over). */
    TICKWHEEL_TIMER_DEFERRABLE = 1
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A timer. Embed it in your own object; it must outlive its pending time.
 * All members but `expires` belong to the wheel; `function` too while the timer is pending. 20 bytes where a pointer
 * has 4.
 */
struct timer_list {
    /** The next younger timer of the slot; NULL in the youngest. */
    struct timer_list *next;
    /** The next older one; in the oldest, the youngest. NULL exactly while the timer is not pending (I1). */
    struct timer_list *prev;
    /** The tick that was asked for. Write it only while idle, for tickwheel_add_timer(). */
    jiffies_t expires;
    /** Called with this timer when it fires. */
    void (*function)(struct timer_list *);
    /** Which slot it hangs in, while pending. */
    uint16_t slot;
    /** 1: passed over by tickwheel_next_expiry(). */
    uint8_t deferrable;
    /** 1 from set-up to shutdown; arms are ignored while it is 0, so a zeroed timer is inert. */
    uint8_t enabled;
#if TICKWHEEL_DEBUG
    /** A sum over the links of a pending timer. A link is followed only where the sum is right. */
    uint32_t seal;
#endif
};

/** @private The end of a timer's initialiser. */
#if TICKWHEEL_DEBUG
#define TICKWHEEL_UNSEALED_ , 0
#else
#define TICKWHEEL_UNSEALED_
#endif

/**
 * The tick counter: ticks since reset and TICKWHEEL_INITIAL_JIFFIES. Wraps; compare with tickwheel_time_after() and
 * its kin. Read only; any context, those that the lock does not mask too.
 */
extern volatile jiffies_t jiffies;

/** The tick counter in 64 bits, never torn; any context. Starts at TICKWHEEL_INITIAL_JIFFIES, upper half 0. */
uint64_t tickwheel_get_jiffies_64(void);

/**
 * Makes an idle timer, of any storage. Misuse: no function (the timer then ignores every arm), unknown flags
 * (ignored), a pending timer: with TICKWHEEL_DEBUG=1 one of the default wheel is left as it is, and of one in another
 * wheel the next arm reports it; without, nobody can tell it from storage that was never a timer, and its list is
 * broken. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE. Any context.
 */
void tickwheel_timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags);

/**
 * Arms an idle timer or moves a pending one, in one step. A move to the expiry that it already has keeps its
 * place in the queue; any other is a new arming. Legal in its own callback and in any ISR.
 * @return 1 was pending; 0 was idle, or is shut down (nothing happens then)
 */
int tickwheel_mod_timer(struct timer_list *timer, jiffies_t expires);

/** Arms at timer->expires. Misuse: a pending timer (left as it is). */
void tickwheel_add_timer(struct timer_list *timer);

/** Moves a timer only if it is pending. @return 1 moved, 0 left idle */
int tickwheel_mod_timer_pending(struct timer_list *timer, jiffies_t expires);

/**
 * Arms a timer only if it is idle; a pending one keeps its expiry and its place. What is shut down stays so, without
 * a report: the call for a timer that re-arms itself while an interrupt may stop or restart it.
 * @return 1 was pending, nothing changes; 0 was idle, or is shut down
 */
int tickwheel_mod_timer_idle(struct timer_list *timer, jiffies_t expires);

/** Arms an idle timer; moves a pending one only to an earlier expiry. @return 1 was pending, 0 was idle */
int tickwheel_timer_reduce(struct timer_list *timer, jiffies_t expires);

/**
 * Disarms; never waits.
 * @return 1 was pending and will not fire; 0 was not (a timer that the runner has taken and not yet called counts
 *         as running: 0, and the callback still runs)
 */
int tickwheel_timer_delete(struct timer_list *timer);

/** The older name of tickwheel_timer_delete(). */
int tickwheel_del_timer(struct timer_list *timer);

/**
 * Disarms unless the callback is running, or about to, below the caller (its own callback included).
 * @return 1 or 0 as tickwheel_timer_delete(); -1 running: nothing is changed, a pending re-arm stays
 */
int tickwheel_try_to_del_timer_sync(struct timer_list *timer);

/** As tickwheel_timer_delete(), and the callback is not running on return. Misuse: where that would be -1. Never
 * spins. */
int tickwheel_timer_delete_sync(struct timer_list *timer);

/** The older name of tickwheel_timer_delete_sync(). */
int tickwheel_del_timer_sync(struct timer_list *timer);

/** As tickwheel_timer_delete(), and later arms are ignored until tickwheel_timer_setup(). */
int tickwheel_timer_shutdown(struct timer_list *timer);

/** As tickwheel_timer_delete_sync(), and later arms are ignored until tickwheel_timer_setup(), on -1 too. */
int tickwheel_timer_shutdown_sync(struct timer_list *timer);

/** 1 from arming until taken to be called or deleted: 1 while due and not yet run, 0 in its own callback. Any
 * context. */
int tickwheel_timer_pending(const struct timer_list *timer);

/**
 * One tick, whole: count, and run what is due. For SysTick_Handler. A callback that outlasts a tick loses
 * ticks here, since SysTick pends once; tickwheel_tick() and tickwheel_run() avoid that.
 * @return how many callbacks ran
 */
unsigned tickwheel_interrupt(void);

/**
 * Counts one tick. Constant time, takes no lock. Safe before anything else.
 * @return 1 when tickwheel_run() has work, in every tick until it has caught up, else 0. May say 1 when no
 *         callback comes of it (the end of a block, a deleted timer).
 */
int tickwheel_tick(void);

/**
 * Does what is due, in this context, with interrupts as they were.
 * @return how many callbacks ran; 0 at once when another run is under way below the caller, which then does the work
 */
unsigned tickwheel_run(void);

/** As tickwheel_run(), at most `budget` callbacks; the rest stay due, in order, pending and deletable. */
unsigned tickwheel_run_budget(unsigned budget);

/** `ticks` ticks have passed at once, after a sleep. @param ticks below 2^31 @return as tickwheel_tick() */
int tickwheel_advance(uint32_t ticks);

/**
 * The earliest tick in which a timer that is not deferrable will fire, exactly. A snapshot: not after `jiffies`
 * means that work is due now. Searches in short locked stretches, so call it unmasked, and looks again when a timer
 * was armed or deleted meanwhile. If that happens sixteen times in a row, it gives a tick that is not later than the
 * earliest instead, which a sleeper may wake at and ask again.
 * @return 1 and *expires; 0 when there is none, *expires untouched
 */
int tickwheel_next_expiry(jiffies_t *expires);

/**
 * The next tick in which the wheel has something to do: an expiry, a cascade, or a mark to clear where timers were
 * deleted. Never later than the earliest expiry of any timer, deferrable or not; at most one cascade of each level
 * comes before it (and one in each range of a wheel that covers less than 2^32 ticks). A tick that is not after
 * `jiffies` means that work is due now. Constant time. What a sleeper asks: with interrupts masked the answer holds
 * until the caller unmasks them. Any context.
 * @return 1 and *tick; 0 when nothing is pending, *tick untouched. (After deletions it may be 1 although nothing is
 *         pending: a call looks behind four marks at most.)
 */
int tickwheel_next_event(jiffies_t *tick);

/** An empty wheel whose clock stands at `start`. Never needed before first use. Nothing may be pending or running. */
void tickwheel_init(jiffies_t start);

/**
 * Called on misuse when built with TICKWHEEL_DEBUG=1, with the lock free. Yours, or the archive's, which stops the
 * CPU by a trap. May return: the misused call then has its documented return.
 */
void tickwheel_bug(const char *what, const struct timer_list *timer);

#if TICKWHEEL_DEBUG
/** @private Gives a timer another function, pending or not. The seal stays right. */
void tickwheel_timer_set_function_(struct timer_list *timer, void (*function)(struct timer_list *));
#endif

/** @private The whole second that `expires` rounds to, or `expires` when that is not after `now`. */
TICKWHEEL_INLINE jiffies_t tickwheel_rounded_(jiffies_t expires, jiffies_t now, int up)
{
    const jiffies_t remainder = expires % TICKWHEEL_HZ;
    const jiffies_t down = expires - remainder;
    /* remainder < HZ / 4, in a form of which compilers do not say that it is never true for an HZ below 4. */
    const jiffies_t rounded = remainder + 1 <= TICKWHEEL_HZ / 4 && !up ? down : down + TICKWHEEL_HZ;
    return tickwheel_time_after(rounded, now) ? rounded : expires;
}

/**
 * To a whole second, a multiple of HZ, so that timers which can wait fire together: a remainder below HZ/4 goes
 * down, all else up. Never into the past: then `expires` comes back as it was (Linux). The multiples are those of
 * the 32-bit counter, so one second in 2^32 ticks is shorter unless HZ divides 2^32.
 */
static inline jiffies_t tickwheel_round_jiffies(jiffies_t expires)
{
    return tickwheel_rounded_(expires, jiffies, 0);
}

/** As tickwheel_round_jiffies(), never down: a whole second becomes the next one (Linux 2.6.29). */
static inline jiffies_t tickwheel_round_jiffies_up(jiffies_t expires)
{
    return tickwheel_rounded_(expires, jiffies, 1);
}

/** As tickwheel_round_jiffies(), for a delay from now. */
static inline jiffies_t tickwheel_round_jiffies_relative(jiffies_t delay)
{
    const jiffies_t now = jiffies;
    return tickwheel_rounded_(now + delay, now, 0) - now;
}

/** As tickwheel_round_jiffies_up(), for a delay from now. */
static inline jiffies_t tickwheel_round_jiffies_up_relative(jiffies_t delay)
{
    const jiffies_t now = jiffies;
    return tickwheel_rounded_(now + delay, now, 1) - now;
}

#ifdef __cplusplus
}

extern "C++" {
namespace tickwheel
{

/// What tickwheel_timer_setup() makes of a timer that has a function, as a constant: a static timer needs no
/// constructor. (Whether a function is null is not asked: of one that may be weak a compiler does not know it.)
constexpr timer_list timer_initializer(void (*function)(timer_list *), unsigned flags)
{
    return {nullptr,
            nullptr,
            0,
            function,
            0,
            static_cast<uint8_t>(flags & TICKWHEEL_TIMER_DEFERRABLE),
            1 TICKWHEEL_UNSEALED_};
}

/// @private One store, which no compiler leaves out: an interrupt may call the function as soon as it is written.
inline void store_function(timer_list *timer, void (*function)(timer_list *))
{
    using function_type = void (*)(timer_list *);
    *static_cast<volatile function_type *>(&timer->function) = function;
}

} // namespace tickwheel
}
#endif

#endif
