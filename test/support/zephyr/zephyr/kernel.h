/* SPDX-License-Identifier: MIT */
/*
 * NOT Zephyr. The names of Zephyr that port/zephyr uses, for the tests of that port, and the calls of the stand-in
 * kernel/timeout.c. Written in our own words. A firmware takes the real kernel.
 */
#ifndef ZEPHYR_INCLUDE_KERNEL_H_
#define ZEPHYR_INCLUDE_KERNEL_H_

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

#define K_TICKS_FOREVER ((k_ticks_t)-1)
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

/* --- The lock */

typedef struct {
    uint32_t key;
} k_spinlock_key_t;

#ifdef STAND_IN_ONE_CORE

/* For figures: the lock is the interrupt mask. */
struct k_spinlock {
    uint8_t nothing;
};

static inline k_spinlock_key_t k_spin_lock(struct k_spinlock *lock)
{
    k_spinlock_key_t taken;

    (void)lock;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(taken.key)::"memory");
    return taken;
}

static inline void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t taken)
{
    (void)lock;
    __asm__ volatile("msr primask, %0\n\tisb" ::"r"(taken.key) : "memory");
}

#else

/* Reports a lock that is taken twice, or opened by somebody who does not hold it. */
struct k_spinlock {
    uint32_t key;
};
k_spinlock_key_t k_spin_lock(struct k_spinlock *lock);
void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t taken);

#endif

/* The CPU that makes a call. */
#ifdef STAND_IN_ONE_CORE
enum { stand_in_cpu = 0 };
#else
extern int stand_in_cpu;
#endif

#ifdef STAND_IN_ONE_LIST

/* --- As far as front_end.c and the files around it use it, of a kernel without options. The value is 32 or 37. */

#define IS_ENABLED(option) 0
#define ARG_UNUSED(argument) (void)(argument)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(value, low, high) MIN(MAX(value, low), high)
#define __ASSERT(condition, text)
#define K_TICKS(t) ((k_timeout_t){t})
#define K_FOREVER K_TICKS(K_TICKS_FOREVER)
#define K_NO_WAIT K_TICKS(0)
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)

uint32_t sys_clock_elapsed(void);
void sys_clock_set_timeout(int32_t ticks, bool idle);

void z_add_timeout(struct _timeout *timeout, _timeout_func_t function, k_timeout_t delay);
int z_abort_timeout(struct _timeout *timeout);
k_ticks_t z_timeout_remaining(const struct _timeout *timeout);
k_ticks_t z_timeout_expires(const struct _timeout *timeout);
int32_t z_get_next_timeout_expiry(void);
void sys_clock_announce(int32_t ticks);
int64_t sys_clock_tick_get(void);
uint32_t sys_clock_tick_get_32(void);
int64_t z_impl_k_uptime_ticks(void);

#if STAND_IN_ONE_LIST == 32
#define USEC_PER_SEC 1000000u
#define SYS_PORT_TRACING_FUNC_ENTER(object, function, argument)
#define SYS_PORT_TRACING_FUNC_EXIT(object, function, argument)
uint32_t k_cycle_get_32(void);
uint32_t sys_clock_hw_cycles_per_sec(void);
void z_set_timeout_expiry(int32_t ticks, bool is_idle);
uint64_t sys_clock_timeout_end_calc(k_timeout_t timeout);
void z_impl_k_busy_wait(uint32_t usec_to_wait);
#else
typedef struct {
    uint64_t tick;
} k_timepoint_t;
k_timepoint_t sys_timepoint_calc(k_timeout_t timeout);
k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint);
#endif

#else

/* --- The driver of the system timer, which the tests have */

uint32_t sys_clock_elapsed(void);
void sys_clock_set_timeout(uint32_t ticks);
void sys_clock_no_timeout(void);

/* --- The calls of timeout.c */

k_ticks_t z_add_timeout(struct _timeout *timeout, _timeout_func_t function, k_timeout_t delay);
int z_try_abort_timeout(struct _timeout *timeout);
bool z_timeout_inflight_superseded(const struct _timeout *timeout);
k_ticks_t z_timeout_remaining(const struct _timeout *timeout);
k_ticks_t z_timeout_expires(const struct _timeout *timeout);
/* UINT32_MAX: nothing is pending. */
uint32_t z_get_next_timeout_expiry(void);
void sys_clock_announce(uint32_t ticks);
int64_t sys_clock_tick_get(void);
void sys_clock_tick_set(uint64_t tick);

#endif

#ifdef __cplusplus
}
#endif

#endif
