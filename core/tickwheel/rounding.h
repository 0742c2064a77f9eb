/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Rounding to whole seconds, as Linux does. Timers that can wait then fire together, and wake a sleeping core once.
 * Every context may call these functions. If a result would be in the past, the function returns its argument.
 */
#ifndef TICKWHEEL_ROUNDING_H
#define TICKWHEEL_ROUNDING_H

#include <tickwheel/tickwheel.h>

/** @private The whole second that `expires` rounds to, or `expires` when that second is not after `now`. */
TICKWHEEL_INLINE jiffies_t tickwheel_rounded_(jiffies_t expires, jiffies_t now, int up)
{
    const jiffies_t remainder = expires % TICKWHEEL_HZ;
    const jiffies_t down = expires - remainder;
    /* Means remainder < HZ / 4. Compilers warn that this is never true for an HZ below 4. */
    const jiffies_t rounded = remainder + 1 <= TICKWHEEL_HZ / 4 && !up ? down : down + TICKWHEEL_HZ;
    return tickwheel_time_after(rounded, now) ? rounded : expires;
}

/**
 * Rounds a tick to a multiple of TICKWHEEL_HZ: down if it lies less than TICKWHEEL_HZ / 4 above one, else up. The
 * second across the wrap of `jiffies` is shorter, unless TICKWHEEL_HZ divides 2^32.
 */
static inline jiffies_t tickwheel_round_jiffies(jiffies_t expires)
{
    return tickwheel_rounded_(expires, jiffies, 0);
}

/** As tickwheel_round_jiffies(), but always up. A whole second becomes the next one (Linux 2.6.29). */
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

#endif
