/* SPDX-License-Identifier: MIT */
/*
 * NOT Zephyr. A timeout queue that nobody doubts, for the tests of port/zephyr: a list in the order of expiry. Each
 * node has the tick of its expiry, by a count of its own.
 */
#ifndef ZEPHYR_KERNEL_TIMEOUT_LIST_H_
#define ZEPHYR_KERNEL_TIMEOUT_LIST_H_

#define _TIMEOUT_BACKEND_OWNS_ANNOUNCE 1

static sys_dlist_t timeouts = SYS_DLIST_STATIC_INIT(&timeouts);
static int64_t list_tick;

static struct _timeout *earliest_timeout(void)
{
    return (struct _timeout *)(void *)sys_dlist_peek_head(&timeouts);
}

static bool z_timeout_q_insert(struct _timeout *timeout, k_ticks_t dticks)
{
    sys_dnode_t *later = timeouts.head;

    timeout->dticks = list_tick + dticks;
    while (later != &timeouts && ((struct _timeout *)(void *)later)->dticks <= timeout->dticks) {
        later = later->next;
    }
    sys_dlist_insert(later, &timeout->node);
    return earliest_timeout() == timeout;
}

static bool z_timeout_q_remove(struct _timeout *timeout)
{
    const bool was_earliest = earliest_timeout() == timeout;

    sys_dlist_remove(&timeout->node);
    return was_earliest;
}

static k_ticks_t z_timeout_q_remainder(const struct _timeout *timeout)
{
    return timeout->dticks - list_tick;
}

static k_ticks_t z_timeout_q_next_expiry(void)
{
    const struct _timeout *const earliest = earliest_timeout();

    return earliest == NULL ? K_TICKS_FOREVER : z_timeout_q_remainder(earliest);
}

/* Moves the time to the next expiry or to the end of the announce, and calls what is due there. */
static k_spinlock_key_t z_timeout_q_announce(k_spinlock_key_t key)
{
    while (announce_remaining != 0) {
        const k_ticks_t next = z_timeout_q_next_expiry();
        const uint32_t ticks =
            next == K_TICKS_FOREVER || next > announce_remaining ? announce_remaining : (uint32_t)next;

        list_tick += ticks;
        curr_tick += ticks;
        announce_remaining -= ticks;
        while (z_timeout_q_next_expiry() == 0) {
            struct _timeout *const due = earliest_timeout();

            sys_dlist_remove(&due->node);
            inflight_timeout = due;
            k_spin_unlock(&timeout_lock, key);
            due->fn(due);
            key = k_spin_lock(&timeout_lock);
            inflight_timeout = NULL;
        }
    }
    return key;
}

#endif
