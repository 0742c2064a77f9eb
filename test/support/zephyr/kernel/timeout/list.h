/* SPDX-License-Identifier: MIT */
/* NOT Zephyr. Has the place of the kernel's list, and its calls. The wheel replaces it, and nothing runs it. */
#ifndef ZEPHYR_KERNEL_TIMEOUT_LIST_H_
#define ZEPHYR_KERNEL_TIMEOUT_LIST_H_

#define _TIMEOUT_BACKEND_OWNS_ANNOUNCE 1

static bool z_timeout_q_insert(struct _timeout *timeout, k_ticks_t dticks)
{
    timeout->dticks = dticks;
    return true;
}

static bool z_timeout_q_remove(struct _timeout *timeout)
{
    return timeout != NULL;
}

static k_ticks_t z_timeout_q_remainder(const struct _timeout *timeout)
{
    return timeout->dticks;
}

static k_ticks_t z_timeout_q_next_expiry(void)
{
    return K_TICKS_FOREVER;
}

static k_spinlock_key_t z_timeout_q_announce(k_spinlock_key_t key)
{
    return key;
}

#endif
