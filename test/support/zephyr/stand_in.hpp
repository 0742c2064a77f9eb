// SPDX-License-Identifier: MIT
// The state of the stand-in kernel/timeout.c that tests read and set.
#ifndef TICKWHEEL_TEST_ZEPHYR_STAND_IN_HPP
#define TICKWHEEL_TEST_ZEPHYR_STAND_IN_HPP

#include <zephyr/kernel.h>

namespace stand_in
{

/// The calls of the kernel to the driver of the system timer, and the ticks that the driver has counted.
struct timer_driver {
    /// Ticks since the last announce.
    uint32_t elapsed = 0;
    /// The ticks of the last sys_clock_set_timeout(), UINT32_MAX after a sys_clock_no_timeout(), and how often either
    /// was called.
    uint32_t wait = UINT32_MAX;
    unsigned told = 0;
    /// The tick of that timeout, counted from the last announce.
    uint32_t wake_at = UINT32_MAX;
};
extern timer_driver driver;

constexpr k_timeout_t in_ticks(k_ticks_t ticks)
{
    return {ticks};
}
constexpr k_timeout_t at_tick(k_ticks_t tick)
{
    return {Z_TICK_ABS(tick)};
}

/// How many locks are held, and how often one was taken twice, or opened by somebody who did not hold it.
extern unsigned locks_held;
extern unsigned lock_faults;
/// Called with the lock open, each time it has been opened. Not called by itself.
extern void (*on_open)();

} // namespace stand_in

#endif
