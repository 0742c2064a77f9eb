/* SPDX-License-Identifier: MIT */
/*
 * The timeouts of Zephyr 3.2.99 (commit 8c8d41c) on the wheel, in place of that kernel's timeout.c, whose list and
 * front end are one file. This front end makes the same calls with the same results, in our own words. What is
 * special to that version: every relative delay ends with one tick more, also in the function of a timeout; an abort
 * does not tell the driver; a time slice shortens the driver's wait.
 */
#include <zephyr/kernel.h>

#include <ksched.h>
#include <zephyr/drivers/timer/system_timer.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys_clock.h>
#include <zephyr/syscall_handler.h>
#include <zephyr/timeout_q.h>

static uint64_t curr_tick;
static struct k_spinlock timeout_lock;
static uint32_t announce_remaining;
static struct _timeout *inflight_timeout;
/* Functions of timeouts run, and curr_tick is their tick. */
static bool announcing;

#include "timeout_backend.h"

#if defined(CONFIG_TIMER_READS_ITS_FREQUENCY_AT_RUNTIME)
int z_clock_hw_cycles_per_sec = CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC;
#endif

/* The ticks since curr_tick. */
static uint32_t ticks_passed(void)
{
    return announcing ? 0 : sys_clock_elapsed();
}

/* What the driver may wait. */
static int32_t ticks_to_wait(void)
{
    const k_ticks_t next = z_timeout_q_next_expiry();
    int32_t ticks = IS_ENABLED(CONFIG_SYSTEM_CLOCK_SLOPPY_IDLE) ? (int32_t)K_TICKS_FOREVER : INT32_MAX;

    if (next != K_TICKS_FOREVER && next - ticks_passed() <= INT32_MAX) {
        ticks = (int32_t)CLAMP(next - ticks_passed(), 0, INT32_MAX);
    }
#ifdef CONFIG_TIMESLICING
    if (_current_cpu->slice_ticks != 0 && _current_cpu->slice_ticks < ticks) {
        ticks = _current_cpu->slice_ticks;
    }
#endif
    return ticks;
}

static bool slice_is(int32_t ticks)
{
#ifdef CONFIG_TIMESLICING
    return ticks != 0 && _current_cpu->slice_ticks == ticks;
#else
    ARG_UNUSED(ticks);
    return false;
#endif
}

void z_add_timeout(struct _timeout *to, _timeout_func_t fn, k_timeout_t timeout)
{
    if (K_TIMEOUT_EQ(timeout, K_FOREVER)) {
        return;
    }
    __ASSERT(z_is_inactive_timeout(to), "");
    to->fn = fn;

    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t absolute = Z_TICK_ABS(timeout.ticks);
    const k_ticks_t dticks =
        absolute < 0 ? timeout.ticks + 1 + ticks_passed() : MAX(1, absolute - (k_ticks_t)curr_tick);

    if (z_timeout_q_insert(to, dticks)) {
        const int32_t ticks = ticks_to_wait();

        /* The driver waits for the slice already. */
        if (!slice_is(ticks)) {
            sys_clock_set_timeout(ticks, false);
        }
    }
    k_spin_unlock(&timeout_lock, key);
}

int z_abort_timeout(struct _timeout *to)
{
    int answer = -EINVAL;
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    if (!z_is_inactive_timeout(to)) {
        if (z_timeout_q_remove(to)) {
            /* The next insert must know what is the earliest now (Z4). */
            (void)z_timeout_q_next_expiry();
        }
        answer = 0;
    }
    k_spin_unlock(&timeout_lock, key);
    return answer;
}

static k_ticks_t remaining(const struct _timeout *timeout)
{
    return z_is_inactive_timeout(timeout) ? 0 : z_timeout_q_remainder(timeout) - ticks_passed();
}

k_ticks_t z_timeout_remaining(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t ticks = remaining(timeout);

    k_spin_unlock(&timeout_lock, key);
    return ticks;
}

k_ticks_t z_timeout_expires(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t tick = (k_ticks_t)curr_tick + remaining(timeout);

    k_spin_unlock(&timeout_lock, key);
    return tick;
}

int32_t z_get_next_timeout_expiry(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const int32_t ticks = ticks_to_wait();

    k_spin_unlock(&timeout_lock, key);
    return ticks;
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
    k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    announce_remaining += (uint32_t)ticks;
    /* Else another CPU takes them over. */
    if (!announcing) {
        announcing = true;
        key = z_timeout_q_announce(key);
        announcing = false;
        sys_clock_set_timeout(ticks_to_wait(), false);
    }
    k_spin_unlock(&timeout_lock, key);
}

int64_t sys_clock_tick_get(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const uint64_t tick = curr_tick + ticks_passed();

    k_spin_unlock(&timeout_lock, key);
    return (int64_t)tick;
}

uint32_t sys_clock_tick_get_32(void)
{
    return IS_ENABLED(CONFIG_TICKLESS_KERNEL) ? (uint32_t)sys_clock_tick_get() : (uint32_t)curr_tick;
}

int64_t z_impl_k_uptime_ticks(void)
{
    return sys_clock_tick_get();
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
