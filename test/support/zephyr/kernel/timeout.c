/* SPDX-License-Identifier: MIT */
/*
 * NOT Zephyr. The front end of a timeout queue, for the tests of port/zephyr: who rounds up, who announces, and when
 * the driver of the timer is told. Names and rules are those of Zephyr's file of this name (89a59f2 of
 * 2026), the words are our own. An empty queue may stop the timer, as with CONFIG_SYSTEM_CLOCK_SLOPPY_IDLE.
 */
#include <zephyr/kernel.h>

static uint64_t curr_tick;
static struct k_spinlock timeout_lock;
static uint32_t announce_remaining;
/* The lowest bit of the address says that it was aborted. */
static struct _timeout *inflight_timeout;

enum { no_cpu = -1 };
static int announcing_cpu = no_cpu;

#include "timeout/list.h"

#ifndef _TIMEOUT_BACKEND_OWNS_ANNOUNCE
#error "the stand-in has no loop for the queues that leave the announce to it"
#endif

/* The CPU that announces is at the start of curr_tick, also in an interrupt above it. */
static bool at_start_of_tick(void)
{
    return announcing_cpu == stand_in_cpu;
}

/* The ticks from curr_tick to now. */
static uint32_t ticks_passed(void)
{
    return at_start_of_tick() ? 0 : announce_remaining + sys_clock_elapsed();
}

static uint32_t ticks_to_wait(void)
{
    const k_ticks_t next = z_timeout_q_next_expiry();
    const k_ticks_t wait = next - ticks_passed();

    if (next == K_TICKS_FOREVER) {
        return UINT32_MAX;
    }
    return wait < 0 ? 0 : wait < SYS_CLOCK_MAX_WAIT ? (uint32_t)wait : SYS_CLOCK_MAX_WAIT;
}

static void tell_driver(void)
{
    const uint32_t wait = ticks_to_wait();

    if (wait == UINT32_MAX) {
        sys_clock_no_timeout();
    } else {
        sys_clock_set_timeout(wait);
    }
}

static struct _timeout *superseded(const struct _timeout *timeout)
{
    return (struct _timeout *)((uintptr_t)timeout | 1);
}

static bool is_inflight(const struct _timeout *timeout)
{
    return inflight_timeout == timeout || inflight_timeout == superseded(timeout);
}

k_ticks_t z_add_timeout(struct _timeout *timeout, _timeout_func_t function, k_timeout_t delay)
{
    k_ticks_t expires = delay.ticks;
    k_ticks_t dticks = 0;

    if (delay.ticks == K_TICKS_FOREVER) {
        return 0;
    }
    timeout->fn = function;
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    if (delay.ticks < 0) {
        /* An absolute tick that is over means the next one. */
        const k_ticks_t ahead = Z_TICK_ABS(delay.ticks) - (k_ticks_t)curr_tick;

        dticks = ahead < 1 ? 1 : ahead;
    } else {
        /* The caller may be anywhere in a tick, so the delay ends with one tick more. */
        dticks = delay.ticks + ticks_passed() + (at_start_of_tick() ? 0 : 1);
        expires = (k_ticks_t)curr_tick + dticks;
    }
    if (z_timeout_q_insert(timeout, dticks) && announcing_cpu == no_cpu) {
        tell_driver();
    }
    k_spin_unlock(&timeout_lock, key);
    return expires;
}

int z_try_abort_timeout(struct _timeout *timeout)
{
    int answer = -EINVAL;
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    if (!z_is_inactive_timeout(timeout)) {
        answer = 0;
        if (z_timeout_q_remove(timeout)) {
            tell_driver();
        }
    } else if (is_inflight(timeout) && !at_start_of_tick()) {
        /* Its function runs on another CPU. */
        answer = -EAGAIN;
    }
    if (is_inflight(timeout)) {
        inflight_timeout = superseded(timeout);
    }
    k_spin_unlock(&timeout_lock, key);
    return answer;
}

bool z_timeout_inflight_superseded(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const bool answer = inflight_timeout == superseded(timeout);

    k_spin_unlock(&timeout_lock, key);
    return answer;
}

k_ticks_t z_timeout_remaining(const struct _timeout *timeout)
{
    k_ticks_t ticks = 0;
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    if (!z_is_inactive_timeout(timeout)) {
        ticks = z_timeout_q_remainder(timeout) - ticks_passed();
    }
    k_spin_unlock(&timeout_lock, key);
    return ticks;
}

k_ticks_t z_timeout_expires(const struct _timeout *timeout)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    k_ticks_t tick = (k_ticks_t)curr_tick;

    if (!z_is_inactive_timeout(timeout)) {
        tick += z_timeout_q_remainder(timeout);
    }
    k_spin_unlock(&timeout_lock, key);
    return tick;
}

uint32_t z_get_next_timeout_expiry(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const uint32_t wait = ticks_to_wait();

    k_spin_unlock(&timeout_lock, key);
    return wait;
}

void sys_clock_announce(uint32_t ticks)
{
    k_spinlock_key_t key = k_spin_lock(&timeout_lock);

    announce_remaining += ticks;
    if (announcing_cpu == no_cpu) {
        announcing_cpu = stand_in_cpu;
        key = z_timeout_q_announce(key);
        announcing_cpu = no_cpu;
        tell_driver();
    }
    k_spin_unlock(&timeout_lock, key);
}

int64_t sys_clock_tick_get(void)
{
    const k_spinlock_key_t key = k_spin_lock(&timeout_lock);
    const int64_t tick = (int64_t)(curr_tick + ticks_passed());

    k_spin_unlock(&timeout_lock, key);
    return tick;
}

void sys_clock_tick_set(uint64_t tick)
{
    curr_tick = tick;
}
