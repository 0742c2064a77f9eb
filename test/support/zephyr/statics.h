/* SPDX-License-Identifier: MIT */
/* The declarations before the backend in a kernel's timeout.c, for a tool that reads the backend alone. */
#include <zephyr/kernel.h>

static uint64_t curr_tick;
static uint32_t announce_remaining;
static struct _timeout *inflight_timeout;
static struct k_spinlock timeout_lock;
