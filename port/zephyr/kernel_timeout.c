/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own kernel/timeout.c, with its list replaced by the wheel. The build compiles this file in its place,
 * in a kernel that has backends for its timeouts (Zephyr 89a59f2 of 2026). A kernel that has renamed something does
 * not compile: the backend comes last and defines no name of the kernel's.
 */
#include <zephyr/kernel.h>

/* kernel/timeout/list.h is empty with its own guard, and the backend moves the ticks of an announce itself. */
#define ZEPHYR_KERNEL_TIMEOUT_LIST_H_
#define _TIMEOUT_BACKEND_OWNS_ANNOUNCE 1

static bool z_timeout_q_insert(struct _timeout *to, k_ticks_t dticks);
static bool z_timeout_q_remove(struct _timeout *to);
static k_ticks_t z_timeout_q_remainder(const struct _timeout *to);
static k_ticks_t z_timeout_q_next_expiry(void);
static k_spinlock_key_t z_timeout_q_announce(k_spinlock_key_t key);

#include <kernel/timeout.c>

#include "timeout_backend.h"
