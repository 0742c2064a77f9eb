/* SPDX-License-Identifier: MIT */
/*
 * Zephyr 3.2.99 (commit 8c8d41c): a time slice shortens the driver's wait and is known to the driver, which
 * is told of an earlier timeout during an announce too.
 */
#include <zephyr/kernel.h>

#include <ksched.h>
#include <zephyr/drivers/timer/system_timer.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys_clock.h>
#include <zephyr/syscall_handler.h>
#include <zephyr/timeout_q.h>

static int32_t wait_of_slice(int32_t ticks)
{
#ifdef CONFIG_TIMESLICING
    if (_current_cpu->slice_ticks != 0 && _current_cpu->slice_ticks < ticks) {
        return _current_cpu->slice_ticks;
    }
#endif
    return ticks;
}

static bool waits_already(int32_t ticks)
{
#ifdef CONFIG_TIMESLICING
    return ticks != 0 && _current_cpu->slice_ticks == ticks;
#else
    ARG_UNUSED(ticks);
    return false;
#endif
}

#include "front_end.c"

k_ticks_t z_timeout_expires(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t tick = (k_ticks_t)curr_tick + remaining(timeout);

    k_spin_unlock(&timeout_lock, key);
    return tick;
}

/* The scheduler or the idle thread wants to be woken in so many ticks. One CPU does nothing if that is later than
 * what the driver waits for, and no driver likes to be told in its last tick. */
void z_set_timeout_expiry(int32_t ticks, bool is_idle)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const int32_t planned = ticks_to_wait();

    if (planned > 1 && (ticks <= planned || IS_ENABLED(CONFIG_SMP))) {
        sys_clock_set_timeout(MIN(ticks, planned), is_idle);
    }
    k_spin_unlock(&timeout_lock, key);
}

void sys_clock_announce(int32_t ticks)
{
#ifdef CONFIG_TIMESLICING
    z_time_slice(ticks);
#endif
    announce((uint32_t)ticks);
}

uint64_t sys_clock_timeout_end_calc(k_timeout_t timeout)
{
    if (K_TIMEOUT_EQ(timeout, K_FOREVER)) {
        return UINT64_MAX;
    }
    if (Z_TICK_ABS(timeout.ticks) >= 0) {
        return (uint64_t)Z_TICK_ABS(timeout.ticks);
    }
    return (uint64_t)(sys_clock_tick_get() + (K_TIMEOUT_EQ(timeout, K_NO_WAIT) ? 0 : MAX(1, timeout.ticks)));
}

void z_impl_k_busy_wait(uint32_t usec_to_wait)
{
    SYS_PORT_TRACING_FUNC_ENTER(k_thread, busy_wait, usec_to_wait);
#ifdef CONFIG_ARCH_HAS_CUSTOM_BUSY_WAIT
    if (usec_to_wait != 0) {
        arch_busy_wait(usec_to_wait);
    }
#else
    const uint32_t from = k_cycle_get_32();
    const uint32_t cycles = (uint32_t)((uint64_t)usec_to_wait * sys_clock_hw_cycles_per_sec() / USEC_PER_SEC);

    while (k_cycle_get_32() - from < cycles) {
    }
#endif
    SYS_PORT_TRACING_FUNC_EXIT(k_thread, busy_wait, usec_to_wait);
}

#ifdef CONFIG_USERSPACE
static inline int64_t z_vrfy_k_uptime_ticks(void)
{
    return z_impl_k_uptime_ticks();
}
#include <syscalls/k_uptime_ticks_mrsh.c>

static inline void z_vrfy_k_busy_wait(uint32_t usec_to_wait)
{
    z_impl_k_busy_wait(usec_to_wait);
}
#include <syscalls/k_busy_wait_mrsh.c>

#ifdef CONFIG_TIMER_READS_ITS_FREQUENCY_AT_RUNTIME
static inline int z_vrfy_sys_clock_hw_cycles_per_sec_runtime_get(void)
{
    return z_impl_sys_clock_hw_cycles_per_sec_runtime_get();
}
#include <syscalls/sys_clock_hw_cycles_per_sec_runtime_get_mrsh.c>
#endif
#endif
