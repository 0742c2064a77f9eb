/* SPDX-License-Identifier: MIT */
/*
 * The front end of the kernels whose timeout.c has a list and a front end in one file, in our own words: the same
 * calls with the same results, on the wheel. The file of each such kernel includes this one. Before that it defines
 * two functions:
 *
 *  - int32_t wait_of_slice(int32_t ticks) returns what the driver may wait: `ticks`, or less if a time slice ends;
 *  - bool waits_already(int32_t ticks) returns true if the driver need not be told to wait for that.
 *
 * In all of them a relative delay ends with one tick more, also in the function of a timeout, and an abort does not
 * tell the driver.
 */
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
    return wait_of_slice(ticks);
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

        if (!waits_already(ticks)) {
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

int32_t z_get_next_timeout_expiry(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const int32_t ticks = ticks_to_wait();

    k_spin_unlock(&timeout_lock, key);
    return ticks;
}

/* Functions of timeouts run with the lock open, and the driver is told what comes next. */
static void announce(uint32_t ticks)
{
    k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    announce_remaining += ticks;
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
