/* SPDX-License-Identifier: MIT */
/**
 * @file
 * "In 30 seconds", in one call. C++ programs with a standard library may write it with chrono.hpp.
 */
#ifndef TICKWHEEL_MILLISECONDS_H
#define TICKWHEEL_MILLISECONDS_H

#include <tickwheel/tickwheel.h>

/** @private Never defined. A call of it that the compiler cannot leave out is an error. */
#ifdef __cplusplus
extern "C"
#endif
    void
    tickwheel_delay_too_long_(void)
#if defined(__has_attribute)
#if __has_attribute(error)
        __attribute__((error("a delay of 2^30 - 2 ticks or more")))
#endif
#endif
        ;

/**
 * Arms or moves a timer, so that it fires after at least `milliseconds`, and less than two ticks later. A constant of
 * 2^30 - 2 ticks or more (12 days at 1000 ticks a second) does not compile with optimisation. A variable counts as at
 * most 2^30 - 2 ticks. From the same contexts as tickwheel_mod_timer(). @return as tickwheel_mod_timer()
 */
__attribute__((always_inline)) static inline int tickwheel_start_after_ms(struct timer_list *timer,
                                                                          unsigned milliseconds)
{
    const jiffies_t delay = tickwheel_msecs_to_jiffies(milliseconds);
    /* It asks for the argument: on one path a compiler knows the delay of each variable that is too long. */
    if (__builtin_constant_p(milliseconds) && delay == TICKWHEEL_MAX_JIFFY_OFFSET) {
        tickwheel_delay_too_long_();
    }
    /* The current tick has begun, so one more. */
    return tickwheel_mod_timer(timer, tickwheel_current_tick() + delay + 1);
}

#endif
