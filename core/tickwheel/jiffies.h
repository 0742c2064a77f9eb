/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The tick counter, comparisons of ticks that survive the wrap, conversions between ticks and time (constexpr in
 * C++), and rounding to whole seconds. Every context may use them. None needs more than a 32-bit division, so the
 * archive needs nothing of libgcc on any core.
 */
#ifndef TICKWHEEL_JIFFIES_H
#define TICKWHEEL_JIFFIES_H

#include <stdint.h>

#include <tickwheel/config_check.h>

/** How the functions here are declared. */
#ifdef __cplusplus
#define TICKWHEEL_INLINE constexpr
#else
#define TICKWHEEL_INLINE static inline
#endif

/** A tick, or a number of ticks, modulo 2^32. */
typedef uint32_t jiffies_t;

/** The longest delay that a conversion returns, also for longer times: 2^30 - 2 ticks (Linux, 32-bit). */
#define TICKWHEEL_MAX_JIFFY_OFFSET UINT32_C(0x3FFFFFFE)

/**
 * 1 when `a` is after `b`. All comparisons are right across the wrap, for ticks that are at most 2^31 - 1 apart.
 * The top bit of the unsigned difference is the sign of the signed one, and nothing can overflow.
 */
TICKWHEEL_INLINE int tickwheel_time_after(jiffies_t a, jiffies_t b)
{
    return (b - a) >> 31 != 0;
}

/** 1 when `a` is before `b`. */
TICKWHEEL_INLINE int tickwheel_time_before(jiffies_t a, jiffies_t b)
{
    return tickwheel_time_after(b, a);
}

/** 1 when `a` is `b` or after it. */
TICKWHEEL_INLINE int tickwheel_time_after_eq(jiffies_t a, jiffies_t b)
{
    return (a - b) >> 31 == 0;
}

/** 1 when `a` is `b` or before it. */
TICKWHEEL_INLINE int tickwheel_time_before_eq(jiffies_t a, jiffies_t b)
{
    return tickwheel_time_after_eq(b, a);
}

/** 1 when `a` lies in [b, c]. */
TICKWHEEL_INLINE int tickwheel_time_in_range(jiffies_t a, jiffies_t b, jiffies_t c)
{
    return tickwheel_time_after_eq(a, b) && tickwheel_time_before_eq(a, c);
}

/** 1 when `a` lies in [b, c). */
TICKWHEEL_INLINE int tickwheel_time_in_range_open(jiffies_t a, jiffies_t b, jiffies_t c)
{
    return tickwheel_time_after_eq(a, b) && tickwheel_time_before(a, c);
}

/** Converts seconds to ticks. More than TICKWHEEL_MAX_JIFFY_OFFSET becomes TICKWHEEL_MAX_JIFFY_OFFSET. */
TICKWHEEL_INLINE jiffies_t tickwheel_secs_to_jiffies(uint32_t seconds)
{
    return seconds > TICKWHEEL_MAX_JIFFY_OFFSET / TICKWHEEL_HZ ? TICKWHEEL_MAX_JIFFY_OFFSET : seconds * TICKWHEEL_HZ;
}

/** @private The ticks of whole seconds and a part, `part` <= 4000000, at most `limit`. No sum can wrap. */
TICKWHEEL_INLINE jiffies_t tickwheel_limited_sum_(uint32_t seconds, jiffies_t part, jiffies_t limit)
{
    return seconds > limit / TICKWHEEL_HZ || seconds * TICKWHEEL_HZ > limit - part ? limit
                                                                                   : seconds * TICKWHEEL_HZ + part;
}

/** @private Milliseconds in ticks, rounded up, at most `limit`. */
TICKWHEEL_INLINE jiffies_t tickwheel_limited_msecs_(unsigned milliseconds, jiffies_t limit)
{
    /* (milliseconds % 1000) * HZ <= 999 * 4000000, and the rounding still fits in 32 bits. */
    return tickwheel_limited_sum_(milliseconds / 1000u, (milliseconds % 1000u * TICKWHEEL_HZ + 999u) / 1000u, limit);
}

/**
 * Converts milliseconds to ticks, rounded up. Above TICKWHEEL_MAX_JIFFY_OFFSET, or negative as an int (Linux: "for
 * ever"), it is TICKWHEEL_MAX_JIFFY_OFFSET.
 */
TICKWHEEL_INLINE jiffies_t tickwheel_msecs_to_jiffies(unsigned milliseconds)
{
    return milliseconds > 0x7FFFFFFFu ? TICKWHEEL_MAX_JIFFY_OFFSET
                                      : tickwheel_limited_msecs_(milliseconds, TICKWHEEL_MAX_JIFFY_OFFSET);
}

/** Converts microseconds to ticks, rounded up, at most TICKWHEEL_MAX_JIFFY_OFFSET. */
TICKWHEEL_INLINE jiffies_t tickwheel_usecs_to_jiffies(unsigned microseconds)
{
    /*
     * The part of a second, f = 1000 m + u microseconds, is f * HZ / 10^6 ticks. With m * HZ = 1000 q + r that is
     * q + (1000 r + u * HZ) / 10^6, where 1000 r < 10^6 and u * HZ < 4 * 10^9. No step exceeds 32 bits.
     */
    const uint32_t fraction = microseconds % 1000000u;
    const uint32_t thousandths = fraction / 1000u * TICKWHEEL_HZ;
    const uint32_t rest = thousandths % 1000u * 1000u + fraction % 1000u * TICKWHEEL_HZ;
    return tickwheel_limited_sum_(microseconds / 1000000u, thousandths / 1000u + (rest + 999999u) / 1000000u,
                                  TICKWHEEL_MAX_JIFFY_OFFSET);
}

/** Converts ticks to seconds, rounded down. */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_secs(jiffies_t ticks)
{
    return ticks / TICKWHEEL_HZ;
}

/** @private seconds * units + part, or 2^32 - 1 if that is larger; part <= units. */
TICKWHEEL_INLINE unsigned tickwheel_saturated_sum_(uint32_t seconds, uint32_t units, uint32_t part)
{
    return seconds > (0xFFFFFFFFu - part) / units ? 0xFFFFFFFFu : seconds * units + part;
}

/**
 * Converts ticks to milliseconds, rounded up as Linux does, at most 2^32 - 1. If TICKWHEEL_HZ divides 1000, the
 * result is exact.
 */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_msecs(jiffies_t ticks)
{
    const uint32_t rounding = 1000 % TICKWHEEL_HZ != 0 ? TICKWHEEL_HZ - 1u : 0u;
    return tickwheel_saturated_sum_(ticks / TICKWHEEL_HZ, 1000u,
                                    (ticks % TICKWHEEL_HZ * 1000u + rounding) / TICKWHEEL_HZ);
}

/**
 * Converts ticks to microseconds, rounded down, at most 2^32 - 1. Up to 1000000 ticks a second only 0 ticks become
 * 0.
 */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_usecs(jiffies_t ticks)
{
    /* Long division by two digits of 1000: both products stay below HZ * 1000 <= 4 * 10^9. */
    const uint32_t thousandths = ticks % TICKWHEEL_HZ * 1000u;
    return tickwheel_saturated_sum_(ticks / TICKWHEEL_HZ, 1000000u,
                                    thousandths / TICKWHEEL_HZ * 1000u +
                                        thousandths % TICKWHEEL_HZ * 1000u / TICKWHEEL_HZ);
}

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The number of ticks since reset, plus TICKWHEEL_INITIAL_JIFFIES. It wraps: compare by tickwheel_time_after() and
 * its relatives. Read only. Every context may read it, also interrupts that the lock does not mask. In one-shot mode
 * it is the counter itself. If that is not a register of 32 bits, a program that reads `jiffies` does not link: it
 * calls tickwheel_current_tick().
 */
extern volatile jiffies_t jiffies;

/** tickwheel.h explains it. */
jiffies_t tickwheel_current_tick(void);

#ifdef __cplusplus
}
#endif

/** @private `jiffies`, also where one-shot mode has no such symbol. */
static inline jiffies_t tickwheel_now_(void)
{
#if TICKWHEEL_ONE_SHOT
    return tickwheel_current_tick();
#else
    return jiffies;
#endif
}

/*
 * Rounding to whole seconds, as Linux does. Timers that can wait then fire together, and wake a sleeping core once.
 * Every context may call these functions. If a result would be in the past, the function returns its argument.
 */

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
    return tickwheel_rounded_(expires, tickwheel_now_(), 0);
}

/** As tickwheel_round_jiffies(), but always up. A whole second becomes the next one (Linux 2.6.29). */
static inline jiffies_t tickwheel_round_jiffies_up(jiffies_t expires)
{
    return tickwheel_rounded_(expires, tickwheel_now_(), 1);
}

/** As tickwheel_round_jiffies(), for a delay from now. */
static inline jiffies_t tickwheel_round_jiffies_relative(jiffies_t delay)
{
    const jiffies_t now = tickwheel_now_();
    return tickwheel_rounded_(now + delay, now, 0) - now;
}

/** As tickwheel_round_jiffies_up(), for a delay from now. */
static inline jiffies_t tickwheel_round_jiffies_up_relative(jiffies_t delay)
{
    const jiffies_t now = tickwheel_now_();
    return tickwheel_rounded_(now + delay, now, 1) - now;
}

#endif
