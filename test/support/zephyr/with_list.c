/* SPDX-License-Identifier: MIT */
/* The stand-in with its own list. The names of this one begin with list_, so that a test has both. */
#define z_add_timeout list_z_add_timeout
#define z_try_abort_timeout list_z_try_abort_timeout
#define z_timeout_inflight_superseded list_z_timeout_inflight_superseded
#define z_timeout_remaining list_z_timeout_remaining
#define z_timeout_expires list_z_timeout_expires
#define z_get_next_timeout_expiry list_z_get_next_timeout_expiry
#define sys_clock_announce list_sys_clock_announce
#define sys_clock_tick_get list_sys_clock_tick_get
#define sys_clock_tick_set list_sys_clock_tick_set
#define sys_clock_elapsed list_sys_clock_elapsed
#define sys_clock_set_timeout list_sys_clock_set_timeout
#define sys_clock_no_timeout list_sys_clock_no_timeout

#include "kernel/timeout.c"
