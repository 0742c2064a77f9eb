// SPDX-License-Identifier: MIT
// The state of the stand-in kernel/timeout.c that tests read and set.
#pragma once

#include <zephyr/kernel.h>

namespace stand_in
{

/// The calls of the kernel to the driver of the system timer, and the ticks that the driver has counted.
struct timer_driver {
    /// Ticks since the last announce.
    uint32_t elapsed = 0;
    /// How many more pass after each question for them.
    uint32_t passes = 0;
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

/// The front end is kernel_timeout_list.c: it adds one tick to each relative delay, also in the function of a
/// timeout, and during an announce it is the tick of the last timeout on all CPUs.
#ifdef TICKWHEEL_TEST_LIST
constexpr bool with_list = true;
#else
constexpr bool with_list = false;
#endif

/// UINT32_MAX: nothing is pending. A list says INT32_MAX then, and the wheel waits less (Z3).
inline uint32_t next_expiry()
{
    const auto ticks = static_cast<uint32_t>(z_get_next_timeout_expiry());
    return with_list && ticks == INT32_MAX ? UINT32_MAX : ticks;
}

} // namespace stand_in

#ifdef TICKWHEEL_TEST_LIST
// The calls of a kernel with backends.
inline int z_try_abort_timeout(_timeout *timeout)
{
    return z_abort_timeout(timeout);
}
#if TICKWHEEL_MARKS_ANNOUNCING
inline bool z_timeout_inflight_superseded(const _timeout *timeout)
{
    return timeout->dticks != TIMEOUT_DTICKS_ANNOUNCING;
}
#endif
template <typename Ticks>
void sys_clock_announce(Ticks ticks)
{
    sys_clock_announce(static_cast<int32_t>(ticks));
}
inline void sys_clock_tick_set(uint64_t tick)
{
    z_impl_sys_clock_tick_set(tick);
}
#endif
