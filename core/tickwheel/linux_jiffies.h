/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The Linux kernel's own names of ticks and times, as <linux/jiffies.h> of 6.1 to 7.2 has them. Each is the
 * function of tickwheel.h or jiffies.h without its prefix: the same returns, from the same contexts. Only this
 * header has comparisons and conversions of 64 bits, and conversions of nanoseconds and clock ticks. A 64-bit
 * conversion divides bit by bit, by subtraction, because a division would call libgcc.
 */
#ifndef TICKWHEEL_LINUX_JIFFIES_H
#define TICKWHEEL_LINUX_JIFFIES_H

#include <tickwheel/tickwheel.h>

/*
 * newlib for Arm defines HZ as 100 in <machine/param.h>, which <sys/param.h> includes. It must come first: in a
 * header of the system, a compiler does not warn of a macro that changes.
 */
#if defined(__has_include)
#if __has_include(<newlib.h>) && __has_include(<machine/param.h>)
#include <machine/param.h>
#endif
#endif

#undef HZ
/** @{ The constant with the prefix TICKWHEEL_. */
#define HZ TICKWHEEL_HZ
#define INITIAL_JIFFIES TICKWHEEL_INITIAL_JIFFIES
#define MAX_JIFFY_OFFSET TICKWHEEL_MAX_JIFFY_OFFSET
/** @} */

/** The largest number of seconds that secs_to_jiffies() converts exactly. */
#define MAX_SEC_IN_JIFFIES (TICKWHEEL_MAX_JIFFY_OFFSET / TICKWHEEL_HZ)
/** The nanoseconds of a tick, rounded to the nearest. */
#define TICK_NSEC ((1000000000L + TICKWHEEL_HZ / 2) / TICKWHEEL_HZ)

#ifndef __cplusplus

/** @{ The function with the prefix tickwheel_, for any integer type, taken modulo 2^32. */
#define time_after(a, b) tickwheel_time_after((jiffies_t)(a), (jiffies_t)(b))
#define time_before(a, b) tickwheel_time_before((jiffies_t)(a), (jiffies_t)(b))
#define time_after_eq(a, b) tickwheel_time_after_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_before_eq(a, b) tickwheel_time_before_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_in_range(a, b, c) tickwheel_time_in_range((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
#define time_in_range_open(a, b, c) tickwheel_time_in_range_open((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
/** @} */

/**
 * As tickwheel_secs_to_jiffies(). For a constant argument the result is a constant too, so it may initialise a
 * static variable. It evaluates its argument once.
 */
/* GCC would warn about a comparison whose result follows from a variable's type, so this divides instead. */
#define secs_to_jiffies(seconds)                                                                                     \
    __builtin_choose_expr(__builtin_constant_p(seconds),                                                             \
                          (uint32_t)(seconds) / (MAX_SEC_IN_JIFFIES + 1) != 0 ? MAX_JIFFY_OFFSET                     \
                                                                              : (uint32_t)(seconds) * TICKWHEEL_HZ,  \
                          tickwheel_secs_to_jiffies((uint32_t)(seconds)))

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

constexpr jiffies_t secs_to_jiffies(unsigned seconds)
{
    return tickwheel_secs_to_jiffies(seconds);
}

#endif

/** @{ Compares a tick with the current one. */
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define time_is_before_eq_jiffies(a) time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a) time_before_eq(jiffies, a)
/** @} */

/** @{ As the comparison without 32, for any numbers of 32 bits. */
TICKWHEEL_INLINE int time_after32(uint32_t a, uint32_t b)
{
    return tickwheel_time_after(a, b);
}

TICKWHEEL_INLINE int time_before32(uint32_t a, uint32_t b)
{
    return tickwheel_time_before(a, b);
}
/** @} */

/** 1 when `moment` lies in [first, last], a range of any length. */
TICKWHEEL_INLINE int time_between32(uint32_t moment, uint32_t first, uint32_t last)
{
    return moment - first <= last - first;
}

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

/** @{ Compares a tick of 64 bits with the current one. */
#define time_is_before_jiffies64(a) time_after64(get_jiffies_64(), a)
#define time_is_after_jiffies64(a) time_before64(get_jiffies_64(), a)
#define time_is_before_eq_jiffies64(a) time_after_eq64(get_jiffies_64(), a)
#define time_is_after_eq_jiffies64(a) time_before_eq64(get_jiffies_64(), a)
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

/** Converts ticks to clock ticks, of which a second has 100 (USER_HZ), rounded down, at most 2^32 - 1. */
TICKWHEEL_INLINE unsigned jiffies_to_clock_t(jiffies_t ticks)
{
    return tickwheel_saturated_sum_(ticks / TICKWHEEL_HZ, 100u, ticks % TICKWHEEL_HZ * 100u / TICKWHEEL_HZ);
}

/** As jiffies_to_clock_t(), for the difference of two ticks. A negative one becomes 0. */
TICKWHEEL_INLINE unsigned jiffies_delta_to_clock_t(jiffies_t delta)
{
    return delta >> 31 != 0 ? 0 : jiffies_to_clock_t(delta);
}

/** Converts clock ticks, of which a second has 100, to ticks, rounded down, at most 2^32 - 1. */
TICKWHEEL_INLINE jiffies_t clock_t_to_jiffies(uint32_t clocks)
{
    return tickwheel_saturated_sum_(clocks / 100u, TICKWHEEL_HZ, clocks % 100u * TICKWHEEL_HZ / 100u);
}

/**
 * @private number * (whole + part / divisor), rounded down, modulo 2^64; part < divisor <= 10^9. It works bit by
 * bit from the top, and the rest always stays below twice the divisor.
 */
TICKWHEEL_INLINE uint64_t tickwheel_product_(uint64_t number, uint32_t whole, uint32_t part, uint32_t divisor)
{
    uint64_t product = 0;
    uint32_t rest = 0;
    for (int bit = 0; bit < 64; ++bit) {
        product += product;
        rest += rest;
        if (rest >= divisor) {
            rest -= divisor;
            ++product;
        }
        if (number >> 63 != 0) {
            product += whole;
            rest += part;
            if (rest >= divisor) {
                rest -= divisor;
                ++product;
            }
        }
        number += number;
    }
    return product;
}

/**
 * Converts nanoseconds to ticks, rounded down. Linux intends it for its scheduler: a delay from it may be too
 * short, and has no upper limit.
 */
TICKWHEEL_INLINE uint64_t nsecs_to_jiffies64(uint64_t nanoseconds)
{
    return tickwheel_product_(nanoseconds, 0, TICKWHEEL_HZ, 1000000000u);
}

/** As nsecs_to_jiffies64(), modulo 2^32. */
TICKWHEEL_INLINE jiffies_t nsecs_to_jiffies(uint64_t nanoseconds)
{
    return nsecs_to_jiffies64(nanoseconds) & 0xFFFFFFFFu;
}

/** Converts ticks of 64 bits to nanoseconds, rounded down, modulo 2^64: 584 years. */
TICKWHEEL_INLINE uint64_t jiffies64_to_nsecs(uint64_t ticks)
{
    return tickwheel_product_(ticks, 1000000000u / TICKWHEEL_HZ, 1000000000u % TICKWHEEL_HZ, TICKWHEEL_HZ);
}

/** Converts ticks of 64 bits to milliseconds, rounded down, modulo 2^64. Linux rounds up only jiffies_to_msecs(). */
TICKWHEEL_INLINE uint64_t jiffies64_to_msecs(uint64_t ticks)
{
    return tickwheel_product_(ticks, 1000u / TICKWHEEL_HZ, 1000u % TICKWHEEL_HZ, TICKWHEEL_HZ);
}

/** Converts ticks to nanoseconds, rounded down. */
TICKWHEEL_INLINE uint64_t jiffies_to_nsecs(jiffies_t ticks)
{
    return jiffies64_to_nsecs(ticks);
}

#endif
