/* SPDX-License-Identifier: MIT */
/*
 * NOT Zephyr. The names of Zephyr that port/zephyr uses, for the tests of that port. Written in our own words. A
 * firmware takes the real kernel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/sys/dlist.h>

#ifdef __cplusplus
extern "C" {
#define BUILD_ASSERT(condition, text) static_assert(condition, text)
#else
#define BUILD_ASSERT(condition, text) _Static_assert(condition, text)
#endif

enum { EAGAIN = 11, EINVAL = 22 };

typedef int64_t k_ticks_t;
typedef struct {
    k_ticks_t ticks;
} k_timeout_t;

#define K_TICKS_FOREVER ((k_ticks_t)(-1))
/* An absolute tick t is the number -2 - t. */
#define Z_TICK_ABS(t) (K_TICKS_FOREVER - 1 - (t))
#define SYS_CLOCK_MAX_WAIT (UINT32_MAX / 2)

struct _timeout;
typedef void (*_timeout_func_t)(struct _timeout *timeout);

struct _timeout {
    sys_dnode_t node;
    _timeout_func_t fn;
    int64_t dticks;
};

static inline bool z_is_inactive_timeout(const struct _timeout *timeout)
{
    return timeout->node.next == NULL;
}

/* --- The lock, and the CPU that makes a call */

typedef struct {
    uint32_t key;
} k_spinlock_key_t;

extern int stand_in_cpu;

/* Reports a lock that is taken twice, or opened by somebody who does not hold it. */
struct k_spinlock {
    uint32_t key;
};
k_spinlock_key_t k_spin_lock(struct k_spinlock *lock);
void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t taken);

#ifdef __cplusplus
}
#endif

/* The calls, which are others in Zephyr 3.7. */
#include <timeout_q.h>
