/* SPDX-License-Identifier: MIT */
/* NOT Zephyr: see kernel.h. The calls of the stand-in kernel/timeout.c, and of the driver, which the tests have. */
#ifndef ZEPHYR_KERNEL_INCLUDE_TIMEOUT_Q_H_
#define ZEPHYR_KERNEL_INCLUDE_TIMEOUT_Q_H_

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
