/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Tick arithmetic, one text for C11 and C++17 (constexpr there): comparisons
 * that survive the wrap, and the conversions between ticks and time. Nothing
 * here reads the clock, and nothing needs more than a 32-bit division, so that
 * the archive asks for nothing of libgcc on any core.
 */
#ifndef TICKWHEEL_JIFFIES_H
#define TICKWHEEL_JIFFIES_H

#include <stdint.h>

#include <tickwheel/config.h>

/** What the functions here are. */
#ifdef __cplusplus
#define TICKWHEEL_INLINE constexpr
#else
#define TICKWHEEL_INLINE static inline
#endif

/** A moment, or a number of ticks: 32 bits, modulo 2^32. */
typedef uint32_t jiffies_t;

/** Where the clock starts: five minutes before the wrap, so that each boot and each test crosses it (Linux). */
#define TICKWHEEL_INITIAL_JIFFIES (UINT32_C(0) - UINT32_C(300) * TICKWHEEL_HZ)

/** The longest delay that a conversion returns, and its answer for "longer than that" (Linux, 32-bit): 2^30 - 2. */
#define TICKWHEEL_MAX_JIFFY_OFFSET UINT32_C(0x3FFFFFFE)

/**
 * 1 when `a` is after `b`. This and the next six: right across the wrap, for moments within 2^31 - 1 ticks.
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

/**
 * Seconds to ticks. 0 gives 0; what passes TICKWHEEL_MAX_JIFFY_OFFSET gives that.
 */
TICKWHEEL_INLINE jiffies_t tickwheel_secs_to_jiffies(uint32_t seconds)
{
    return seconds > TICKWHEEL_MAX_JIFFY_OFFSET / TICKWHEEL_HZ ? TICKWHEEL_MAX_JIFFY_OFFSET : seconds * TICKWHEEL_HZ;
}

/** @private The sum of whole seconds and of a part of one, both in ticks; `part` <= 100000, so the sum cannot wrap.
 */
TICKWHEEL_INLINE jiffies_t tickwheel_limited_sum_(jiffies_t whole, jiffies_t part)
{
    return whole > TICKWHEEL_MAX_JIFFY_OFFSET - part ? TICKWHEEL_MAX_JIFFY_OFFSET : whole + part;
}

/**
 * Milliseconds to ticks, rounded up: a wait of that many ticks is not the shorter.
 * 0 gives 0; negative as an int (a Linux caller's "for ever"), or past
 * TICKWHEEL_MAX_JIFFY_OFFSET, gives TICKWHEEL_MAX_JIFFY_OFFSET.
 */
TICKWHEEL_INLINE jiffies_t tickwheel_msecs_to_jiffies(unsigned milliseconds)
{
    if (milliseconds > 0x7FFFFFFFu) {
        return TICKWHEEL_MAX_JIFFY_OFFSET;
    }
    /* (milliseconds % 1000) * HZ <= 999 * 100000, and so is the rounding: 32 bits hold it. */
    return tickwheel_limited_sum_(tickwheel_secs_to_jiffies(milliseconds / 1000u),
                                  (milliseconds % 1000u * TICKWHEEL_HZ + 999u) / 1000u);
}

/** Microseconds to ticks, rounded up; 0 gives 0; past TICKWHEEL_MAX_JIFFY_OFFSET gives that. */
TICKWHEEL_INLINE jiffies_t tickwheel_usecs_to_jiffies(unsigned microseconds)
{
    /*
     * The part of a second, f = 1000 m + u microseconds, is f * HZ / 10^6 ticks. With m * HZ = 1000 q + r that is
     * q + (1000 r + u * HZ) / 10^6, where 1000 r < 10^6 and u * HZ < 10^8: no step passes 32 bits.
     */
    const uint32_t fraction = microseconds % 1000000u;
    const uint32_t thousandths = fraction / 1000u * TICKWHEEL_HZ;
    const uint32_t rest = thousandths % 1000u * 1000u + fraction % 1000u * TICKWHEEL_HZ;
    return tickwheel_limited_sum_(tickwheel_secs_to_jiffies(microseconds / 1000000u),
                                  thousandths / 1000u + (rest + 999999u) / 1000000u);
}

/** Ticks to the whole seconds that have passed. */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_secs(jiffies_t ticks)
{
    return ticks / TICKWHEEL_HZ;
}

/** @private seconds * units + part, or the largest unsigned when that passes it; part <= units. */
TICKWHEEL_INLINE unsigned tickwheel_saturated_sum_(uint32_t seconds, uint32_t units, uint32_t part)
{
    return seconds > (0xFFFFFFFFu - part) / units ? 0xFFFFFFFFu : seconds * units + part;
}

/**
 * Ticks to milliseconds; saturates at 2^32 - 1. Rounded down to what has fully passed. At more than 1000 ticks a
 * second it is rounded up, as on Linux, so that a time that is not 0 never becomes 0.
 */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_msecs(jiffies_t ticks)
{
    const uint32_t rounding = TICKWHEEL_HZ > 1000 ? TICKWHEEL_HZ - 1u : 0u;
    return tickwheel_saturated_sum_(ticks / TICKWHEEL_HZ, 1000u,
                                    (ticks % TICKWHEEL_HZ * 1000u + rounding) / TICKWHEEL_HZ);
}

/**
 * Ticks to microseconds, rounded down to what has fully passed; saturates at 2^32 - 1. A tick is 10 or more of
 * them, so a time that is not 0 never becomes 0.
 */
TICKWHEEL_INLINE unsigned tickwheel_jiffies_to_usecs(jiffies_t ticks)
{
    /* Long division by two digits of 1000: both products stay below HZ * 1000 <= 10^8. */
    const uint32_t thousandths = ticks % TICKWHEEL_HZ * 1000u;
    return tickwheel_saturated_sum_(ticks / TICKWHEEL_HZ, 1000000u,
                                    thousandths / TICKWHEEL_HZ * 1000u +
                                        thousandths % TICKWHEEL_HZ * 1000u / TICKWHEEL_HZ);
}

#endif
