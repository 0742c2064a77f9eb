/* SPDX-License-Identifier: MIT */
/*
 * Zephyr 3.7.1: a time slice is a timeout like others, and the driver hears nothing of timeouts that are added during
 * an announce, because it is told at the end of it.
 */
#include <zephyr/kernel.h>

#include <ksched.h>
#include <timeout_q.h>
#include <zephyr/drivers/timer/system_timer.h>
#include <zephyr/internal/syscall_handler.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys_clock.h>

static bool announcing;

static int32_t wait_of_slice(int32_t ticks)
{
    return ticks;
}

static bool waits_already(int32_t ticks)
{
    ARG_UNUSED(ticks);
    return announcing;
}

#include "front_end.c"

k_ticks_t z_timeout_expires(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t tick =
        (k_ticks_t)curr_tick + (z_is_inactive_timeout(timeout) ? 0 : z_timeout_q_remainder(timeout));

    k_spin_unlock(&timeout_lock, key);
    return tick;
}

void sys_clock_announce(int32_t ticks)
{
    announce((uint32_t)ticks);
#ifdef CONFIG_TIMESLICING
    z_time_slice();
#endif
}

/* A tick, or one of two marks. */
static const uint64_t point_now = 0;
static const uint64_t point_never = UINT64_MAX;

k_timepoint_t sys_timepoint_calc(k_timeout_t timeout)
{
    const k_ticks_t absolute = Z_TICK_ABS(timeout.ticks);
    k_timepoint_t point;

    if (K_TIMEOUT_EQ(timeout, K_FOREVER)) {
        point.tick = point_never;
    } else if (K_TIMEOUT_EQ(timeout, K_NO_WAIT)) {
        point.tick = point_now;
    } else {
        point.tick = (uint64_t)(absolute >= 0 ? absolute : sys_clock_tick_get() + MAX(1, timeout.ticks));
    }
    return point;
}

k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint)
{
    if (timepoint.tick == point_never) {
        return K_FOREVER;
    }
    if (timepoint.tick == point_now) {
        return K_NO_WAIT;
    }
    const uint64_t now = (uint64_t)sys_clock_tick_get();

    return K_TICKS((k_ticks_t)(timepoint.tick > now ? timepoint.tick - now : 0));
}

#ifdef CONFIG_ZTEST
void z_impl_sys_clock_tick_set(uint64_t tick)
{
    curr_tick = tick;
}

void z_vrfy_sys_clock_tick_set(uint64_t tick)
{
    z_impl_sys_clock_tick_set(tick);
}
#endif

#ifdef CONFIG_USERSPACE
static inline int64_t z_vrfy_k_uptime_ticks(void)
{
    return z_impl_k_uptime_ticks();
}
#include <zephyr/syscalls/k_uptime_ticks_mrsh.c>

#ifdef CONFIG_TIMER_READS_ITS_FREQUENCY_AT_RUNTIME
static inline int z_vrfy_sys_clock_hw_cycles_per_sec_runtime_get(void)
{
    return z_impl_sys_clock_hw_cycles_per_sec_runtime_get();
}
#include <zephyr/syscalls/sys_clock_hw_cycles_per_sec_runtime_get_mrsh.c>
#endif
#endif
