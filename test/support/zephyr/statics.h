/* SPDX-License-Identifier: MIT */
/* What stands in front of the backend in a kernel's timeout.c, for who reads the backend alone. */
#include <zephyr/kernel.h>

static uint64_t curr_tick;
static uint32_t announce_remaining;
static struct _timeout *inflight_timeout;
static struct k_spinlock timeout_lock;
