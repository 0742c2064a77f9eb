/* SPDX-License-Identifier: MIT */
/* NOT Zephyr: see kernel.h. What kernel_timeout_list.c uses, of a kernel without options. */
#ifndef ZEPHYR_KERNEL_INCLUDE_TIMEOUT_Q_H_
#define ZEPHYR_KERNEL_INCLUDE_TIMEOUT_Q_H_

#ifdef __cplusplus
extern "C" {
#endif

#define IS_ENABLED(option) 0
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define __ASSERT(condition, text)
#define K_TICKS(t) ((k_timeout_t){t})
#define K_FOREVER K_TICKS(K_TICKS_FOREVER)
#define K_NO_WAIT K_TICKS(0)
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)

/* --- The driver of the system timer, which the tests have */

uint32_t sys_clock_elapsed(void);
void sys_clock_set_timeout(int32_t ticks, bool idle);

/* --- The calls of timeout.c */

typedef struct {
    uint64_t tick;
} k_timepoint_t;

#if ADD_RETURNS_TICK
#define TIMEOUT_DTICKS_ABORTED INT64_MIN
#define TIMEOUT_DTICKS_ANNOUNCING (TIMEOUT_DTICKS_ABORTED + 1)
k_ticks_t z_add_timeout(struct _timeout *timeout, _timeout_func_t function, k_timeout_t delay);
#else
void z_add_timeout(struct _timeout *timeout, _timeout_func_t function, k_timeout_t delay);
#endif
int z_abort_timeout(struct _timeout *timeout);
k_ticks_t z_timeout_remaining(const struct _timeout *timeout);
k_ticks_t z_timeout_expires(const struct _timeout *timeout);
int32_t z_get_next_timeout_expiry(void);
void sys_clock_announce(int32_t ticks);
int64_t sys_clock_tick_get(void);
uint32_t sys_clock_tick_get_32(void);
int64_t z_impl_k_uptime_ticks(void);
k_timepoint_t sys_timepoint_calc(k_timeout_t timeout);
k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint);
void z_impl_sys_clock_tick_set(uint64_t tick);
void z_vrfy_sys_clock_tick_set(uint64_t tick);

#ifdef __cplusplus
}
#endif

#endif
