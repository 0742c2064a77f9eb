/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The Linux kernel's own names of ticks and times, as its <linux/jiffies.h> has them. Each is the function of
 * tickwheel.h or jiffies.h without its prefix: the same returns, from the same contexts. The comparisons
 * of 64 bits, and the conversions of nanoseconds, are here only.
 */
#ifndef TICKWHEEL_LINUX_JIFFIES_H
#define TICKWHEEL_LINUX_JIFFIES_H

#include <tickwheel/tickwheel.h>

#undef HZ
/** @{ The constant with the prefix TICKWHEEL_. */
#define HZ TICKWHEEL_HZ
#define INITIAL_JIFFIES TICKWHEEL_INITIAL_JIFFIES
#define MAX_JIFFY_OFFSET TICKWHEEL_MAX_JIFFY_OFFSET
/** @} */

#ifndef __cplusplus

/** @{ The function with the prefix tickwheel_, for any integer type, taken modulo 2^32. */
#define time_after(a, b) tickwheel_time_after((jiffies_t)(a), (jiffies_t)(b))
#define time_before(a, b) tickwheel_time_before((jiffies_t)(a), (jiffies_t)(b))
#define time_after_eq(a, b) tickwheel_time_after_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_before_eq(a, b) tickwheel_time_before_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_in_range(a, b, c) tickwheel_time_in_range((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
#define time_in_range_open(a, b, c) tickwheel_time_in_range_open((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
/** @} */

#else

/* Drivers wrap includes in extern "C". Templates must not have C linkage. */
extern "C++" {

#define TICKWHEEL_COMPARISON_(name)                                                                                  \
    template <class A, class B>                                                                                      \
    constexpr bool name(A a, B b)                                                                                    \
    {                                                                                                                \
        return tickwheel_##name(jiffies_t(a), jiffies_t(b)) != 0;                                                    \
    }
TICKWHEEL_COMPARISON_(time_after)
TICKWHEEL_COMPARISON_(time_before)
TICKWHEEL_COMPARISON_(time_after_eq)
TICKWHEEL_COMPARISON_(time_before_eq)
#undef TICKWHEEL_COMPARISON_

template <class A, class B, class C>
constexpr bool time_in_range(A a, B b, C c)
{
    return tickwheel_time_in_range(jiffies_t(a), jiffies_t(b), jiffies_t(c)) != 0;
}

template <class A, class B, class C>
constexpr bool time_in_range_open(A a, B b, C c)
{
    return tickwheel_time_in_range_open(jiffies_t(a), jiffies_t(b), jiffies_t(c)) != 0;
}

} /* extern "C++" */

#endif

/** @{ Compares a tick with the current one. */
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define time_is_before_eq_jiffies(a) time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a) time_before_eq(jiffies, a)
/** @} */

/** @{ As the comparison of 32 bits, for the ticks of get_jiffies_64(): right for ticks up to 2^63 - 1 apart. */
TICKWHEEL_INLINE int time_after64(uint64_t a, uint64_t b)
{
    return (b - a) >> 63 != 0;
}

TICKWHEEL_INLINE int time_before64(uint64_t a, uint64_t b)
{
    return time_after64(b, a);
}

TICKWHEEL_INLINE int time_after_eq64(uint64_t a, uint64_t b)
{
    return !time_after64(b, a);
}

TICKWHEEL_INLINE int time_before_eq64(uint64_t a, uint64_t b)
{
    return !time_after64(a, b);
}

TICKWHEEL_INLINE int time_in_range64(uint64_t a, uint64_t b, uint64_t c)
{
    return time_after_eq64(a, b) && time_before_eq64(a, c);
}
/** @} */

/** @{ The function with the prefix tickwheel_. */
static inline uint64_t get_jiffies_64(void)
{
    return tickwheel_get_jiffies_64();
}

static inline jiffies_t msecs_to_jiffies(unsigned milliseconds)
{
    return tickwheel_msecs_to_jiffies(milliseconds);
}

static inline jiffies_t usecs_to_jiffies(unsigned microseconds)
{
    return tickwheel_usecs_to_jiffies(microseconds);
}

static inline jiffies_t secs_to_jiffies(unsigned seconds)
{
    return tickwheel_secs_to_jiffies(seconds);
}

static inline unsigned jiffies_to_msecs(jiffies_t ticks)
{
    return tickwheel_jiffies_to_msecs(ticks);
}

static inline unsigned jiffies_to_usecs(jiffies_t ticks)
{
    return tickwheel_jiffies_to_usecs(ticks);
}

static inline unsigned jiffies_to_secs(jiffies_t ticks)
{
    return tickwheel_jiffies_to_secs(ticks);
}

static inline jiffies_t round_jiffies(jiffies_t expires)
{
    return tickwheel_round_jiffies(expires);
}

static inline jiffies_t round_jiffies_relative(jiffies_t delay)
{
    return tickwheel_round_jiffies_relative(delay);
}

static inline jiffies_t round_jiffies_up(jiffies_t expires)
{
    return tickwheel_round_jiffies_up(expires);
}

static inline jiffies_t round_jiffies_up_relative(jiffies_t delay)
{
    return tickwheel_round_jiffies_up_relative(delay);
}
/** @} */

/** As jiffies_to_msecs(), for the difference of two ticks. A negative one becomes 0. */
TICKWHEEL_INLINE unsigned jiffies_delta_to_msecs(jiffies_t delta)
{
    return delta >> 31 != 0 ? 0 : tickwheel_jiffies_to_msecs(delta);
}

/**
 * Converts nanoseconds to ticks, rounded down, modulo 2^32. Linux means it for its scheduler: a delay by it may be
 * too short, and has no limit.
 */
TICKWHEEL_INLINE jiffies_t nsecs_to_jiffies(uint64_t nanoseconds)
{
    /* Bit by bit, since a division or a product of 64 bits would call libgcc. */
    uint32_t seconds = 0;
    uint32_t rest = 0;
    for (int bit = 0; bit < 64; ++bit) {
        rest += rest + (nanoseconds >> 63 != 0 ? 1u : 0u);
        seconds += seconds;
        nanoseconds += nanoseconds;
        if (rest >= 1000000000u) {
            rest -= 1000000000u;
            ++seconds;
        }
    }
    /* rest * HZ / 10^9, as long division by three digits of 1000. No step exceeds 1.1 * 10^9. */
    const uint32_t thousandths = rest / 1000000u * TICKWHEEL_HZ;
    const uint32_t millionths = thousandths % 1000u * 1000u + rest / 1000u % 1000u * TICKWHEEL_HZ;
    const uint32_t billionths = millionths % 1000000u * 1000u + rest % 1000u * TICKWHEEL_HZ;
    return seconds * TICKWHEEL_HZ + thousandths / 1000u + millionths / 1000000u + billionths / 1000000000u;
}

/** Converts ticks to nanoseconds, rounded down. */
TICKWHEEL_INLINE uint64_t jiffies_to_nsecs(jiffies_t ticks)
{
    const uint32_t thousandths = ticks % TICKWHEEL_HZ * 1000u;
    const uint32_t millionths = thousandths % TICKWHEEL_HZ * 1000u;
    const uint32_t billionths = millionths % TICKWHEEL_HZ * 1000u;
    const uint32_t part =
        thousandths / TICKWHEEL_HZ * 1000000u + millionths / TICKWHEEL_HZ * 1000u + billionths / TICKWHEEL_HZ;
    uint32_t seconds = ticks / TICKWHEEL_HZ;
    uint64_t whole = 0;
    for (int bit = 0; bit < 32; ++bit) {
        whole += whole + (seconds >> 31 != 0 ? 1000000000u : 0u);
        seconds += seconds;
    }
    return whole + part;
}

#endif
