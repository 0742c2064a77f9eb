/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The Linux kernel's own names, so that timer code of Linux drivers compiles unchanged, in C11 and C++17. Each name
 * is the one of tickwheel.h, jiffies.h or rounding.h without its prefix. These headers say what each call does.
 */
#ifndef TICKWHEEL_TIMER_H
#define TICKWHEEL_TIMER_H

#include <tickwheel/rounding.h>
#include <tickwheel/tickwheel.h>

/*
 * POSIX has a timer_delete() too. A hosted <time.h> must come first: in C++ the two then overload, and in C a macro
 * takes the name over.
 */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ && defined(__has_include)
#if __has_include(<time.h>)
#include <time.h>
#endif
#endif

#undef HZ
/** @{ The constant with the prefix TICKWHEEL_. */
#define HZ TICKWHEEL_HZ
#define INITIAL_JIFFIES TICKWHEEL_INITIAL_JIFFIES
#define MAX_JIFFY_OFFSET TICKWHEEL_MAX_JIFFY_OFFSET
#define TIMER_DEFERRABLE TICKWHEEL_TIMER_DEFERRABLE
/** @} */

#ifndef __cplusplus

/** Defines a static timer, ready to be armed. In C++ it is a constant: constructors of others may arm it. */
#define DEFINE_TIMER(name, function) struct timer_list name = {NULL, NULL, 0, (function), 0, 0, 1 TICKWHEEL_UNSEALED_}

/** The object whose member `field` is `timer`. `variable` is a pointer that gives the type of the object. */
#define timer_container_of(variable, timer, field)                                                                   \
    ((__typeof__(*(variable)) *)(void *)((unsigned char *)(timer)-offsetof(__typeof__(*(variable)), field)))

/** @{ The function with the prefix tickwheel_, for any integer type, taken modulo 2^32. */
#define time_after(a, b) tickwheel_time_after((jiffies_t)(a), (jiffies_t)(b))
#define time_before(a, b) tickwheel_time_before((jiffies_t)(a), (jiffies_t)(b))
#define time_after_eq(a, b) tickwheel_time_after_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_before_eq(a, b) tickwheel_time_before_eq((jiffies_t)(a), (jiffies_t)(b))
#define time_in_range(a, b, c) tickwheel_time_in_range((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
#define time_in_range_open(a, b, c) tickwheel_time_in_range_open((jiffies_t)(a), (jiffies_t)(b), (jiffies_t)(c))
/** @} */

/** The function with the prefix tickwheel_. */
#define timer_delete tickwheel_timer_delete

#else

#define DEFINE_TIMER(name, function) struct timer_list name = tickwheel::timer_initializer(function, 0)

#define timer_container_of(variable, timer, field)                                                                   \
    (tickwheel::container_of<__typeof__(*(variable))>((timer), offsetof(__typeof__(*(variable)), field)))

/* Drivers wrap includes in extern "C". Templates and the overload of timer_delete() must not have C linkage. */
extern "C++" {

namespace tickwheel
{

template <class Container>
Container *container_of(timer_list *timer, size_t offset)
{
    return static_cast<Container *>(static_cast<void *>(reinterpret_cast<unsigned char *>(timer) - offset));
}

} // namespace tickwheel

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

static inline int timer_delete(struct timer_list *timer)
{
    return tickwheel_timer_delete(timer);
}

} /* extern "C++" */

#endif

/** The older name of timer_container_of(). */
#define from_timer(variable, timer, field) timer_container_of(variable, timer, field)

/** @{ Compares a tick with the current one. */
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define time_is_before_eq_jiffies(a) time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a) time_before_eq(jiffies, a)
/** @} */

/** @{ The function with the prefix tickwheel_: the same returns, from the same contexts. */
static inline uint64_t get_jiffies_64(void)
{
    return tickwheel_get_jiffies_64();
}

static inline void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags)
{
    tickwheel_timer_setup(timer, function, flags);
}

static inline int mod_timer(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_mod_timer(timer, expires);
}

static inline void add_timer(struct timer_list *timer)
{
    tickwheel_add_timer(timer);
}

static inline int mod_timer_pending(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_mod_timer_pending(timer, expires);
}

static inline int timer_reduce(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_timer_reduce(timer, expires);
}

static inline int del_timer(struct timer_list *timer)
{
    return tickwheel_del_timer(timer);
}

static inline int try_to_del_timer_sync(struct timer_list *timer)
{
    return tickwheel_try_to_del_timer_sync(timer);
}

static inline int timer_delete_sync(struct timer_list *timer)
{
    return tickwheel_timer_delete_sync(timer);
}

static inline int del_timer_sync(struct timer_list *timer)
{
    return tickwheel_del_timer_sync(timer);
}

static inline int timer_shutdown(struct timer_list *timer)
{
    return tickwheel_timer_shutdown(timer);
}

static inline int timer_shutdown_sync(struct timer_list *timer)
{
    return tickwheel_timer_shutdown_sync(timer);
}

static inline int timer_pending(const struct timer_list *timer)
{
    return tickwheel_timer_pending(timer);
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

#endif
