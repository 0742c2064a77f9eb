/* SPDX-License-Identifier: MIT */
/* The timers in C. */
#ifndef TICKWHEEL_TEST_GDB_DEVICES_H
#define TICKWHEEL_TEST_GDB_DEVICES_H

#ifdef __cplusplus
extern "C" {
#endif

/** Arms the timers of devices.c. */
void devices_start(void);

#ifdef __cplusplus
}
#endif

#endif
