/* SPDX-License-Identifier: MIT */
/*
 * A Zephyr whose timeout.c has a list and a front end in one file: the front end in our own words, the same calls
 * with the same results, on the wheel. CMakeLists.txt sets two choices by the words of that file. These rules are for
 * all:
 *
 *  - A relative delay ends with one tick more, also in the function of a timeout.
 *  - The driver hears nothing of timeouts that are added during an announce, because it is told at the end of it.
 *
 * A time slice is a timeout like others.
 */
#include <zephyr/kernel.h>

#include <ksched.h>
#include <timeout_q.h>
#include <zephyr/drivers/timer/system_timer.h>
#include <zephyr/internal/syscall_handler.h>

/* 1: An abort of the earliest timeout tells the driver. */
#ifndef TICKWHEEL_ABORT_TELLS_DRIVER
#define TICKWHEEL_ABORT_TELLS_DRIVER 0
#endif
/* 1: An add returns the tick, and asks the driver once for the ticks that have passed. An abort leaves a mark (Z6).
 */
#ifndef TICKWHEEL_ADD_RETURNS_TICK
#define TICKWHEEL_ADD_RETURNS_TICK 0
#endif

static uint64_t curr_tick;
static struct k_spinlock timeout_lock;
static uint32_t announce_remaining;
static struct _timeout *inflight_timeout;
/* Functions of timeouts run, and curr_tick is their tick. */
static bool announcing;

#include "timeout_backend.h"

#if defined(CONFIG_TIMER_READS_ITS_FREQUENCY_AT_RUNTIME)
/* Signed or not. */
__typeof__(z_impl_sys_clock_hw_cycles_per_sec_runtime_get()) z_clock_hw_cycles_per_sec =
    CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC;
#endif

/* The ticks since curr_tick. */
static uint32_t ticks_passed(void)
{
    return announcing ? 0 : sys_clock_elapsed();
}

/* What the driver may wait when so many ticks have passed. */
static int32_t ticks_to_wait(uint32_t passed)
{
    const k_ticks_t next = z_timeout_q_next_expiry();
    const k_ticks_t ticks = next - passed;

    if (next == K_TICKS_FOREVER || ticks > INT32_MAX) {
        return IS_ENABLED(CONFIG_SYSTEM_CLOCK_SLOPPY_IDLE) ? (int32_t)K_TICKS_FOREVER : INT32_MAX;
    }
    return (int32_t)MAX(0, ticks);
}

static k_ticks_t add_timeout(struct _timeout *to, _timeout_func_t fn, k_timeout_t timeout)
{
    if (K_TIMEOUT_EQ(timeout, K_FOREVER)) {
        return 0;
    }
    __ASSERT(z_is_inactive_timeout(to), "");
    to->fn = fn;

    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t absolute = Z_TICK_ABS(timeout.ticks);
    const uint32_t passed = absolute < 0 ? ticks_passed() : 0;
    const k_ticks_t dticks = absolute < 0 ? timeout.ticks + 1 + passed : MAX(1, absolute - (k_ticks_t)curr_tick);
    const k_ticks_t answer = absolute < 0 ? (k_ticks_t)curr_tick + dticks : timeout.ticks;

    if (z_timeout_q_insert(to, dticks) && !announcing) {
        sys_clock_set_timeout(ticks_to_wait(TICKWHEEL_ADD_RETURNS_TICK && absolute < 0 ? passed : ticks_passed()),
                              false);
    }
    k_spin_unlock(&timeout_lock, key);
    return answer;
}

#if TICKWHEEL_ADD_RETURNS_TICK
k_ticks_t z_add_timeout(struct _timeout *to, _timeout_func_t fn, k_timeout_t timeout)
{
    return add_timeout(to, fn, timeout);
}
#else
void z_add_timeout(struct _timeout *to, _timeout_func_t fn, k_timeout_t timeout)
{
    (void)add_timeout(to, fn, timeout);
}
#endif

int z_abort_timeout(struct _timeout *to)
{
    int answer = -EINVAL;
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    if (!z_is_inactive_timeout(to)) {
        if (z_timeout_q_remove(to)) {
            /* The next insert must know what is the earliest now (Z4). */
            (void)z_timeout_q_next_expiry();
            if (TICKWHEEL_ABORT_TELLS_DRIVER) {
                sys_clock_set_timeout(ticks_to_wait(ticks_passed()), false);
            }
        }
#if TICKWHEEL_ADD_RETURNS_TICK
        to->dticks = TIMEOUT_DTICKS_ABORTED;
#endif
        answer = 0;
#if TICKWHEEL_MARKS_ANNOUNCING
    } else if (to->dticks == TIMEOUT_DTICKS_ANNOUNCING) {
        /* Its function is called all the same, and looks for the mark. */
        to->dticks = TIMEOUT_DTICKS_ABORTED;
#endif
    }
    k_spin_unlock(&timeout_lock, key);
    return answer;
}

k_ticks_t z_timeout_remaining(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t ticks = z_is_inactive_timeout(timeout) ? 0 : z_timeout_q_remainder(timeout) - ticks_passed();

    k_spin_unlock(&timeout_lock, key);
    return ticks;
}

k_ticks_t z_timeout_expires(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const k_ticks_t tick =
        (k_ticks_t)curr_tick + (z_is_inactive_timeout(timeout) ? 0 : z_timeout_q_remainder(timeout));

    k_spin_unlock(&timeout_lock, key);
    return tick;
}

int32_t z_get_next_timeout_expiry(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const int32_t ticks = ticks_to_wait(ticks_passed());

    k_spin_unlock(&timeout_lock, key);
    return ticks;
}

void sys_clock_announce(int32_t ticks)
{
    k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    announce_remaining += (uint32_t)ticks;
    /* Else another CPU takes them over. */
    if (!announcing) {
        announcing = true;
        key = z_timeout_q_announce(key);
        announcing = false;
        sys_clock_set_timeout(ticks_to_wait(TICKWHEEL_ADD_RETURNS_TICK ? 0 : ticks_passed()), false);
    }
    k_spin_unlock(&timeout_lock, key);
#ifdef CONFIG_TIMESLICING
    z_time_slice();
#endif
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
static inline __typeof__(z_clock_hw_cycles_per_sec) z_vrfy_sys_clock_hw_cycles_per_sec_runtime_get(void)
{
    return z_impl_sys_clock_hw_cycles_per_sec_runtime_get();
}
#include <zephyr/syscalls/sys_clock_hw_cycles_per_sec_runtime_get_mrsh.c>
#endif
#endif
