/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the wheel calls in the kernel's timeout.c while it announces ticks. Only the files of this port include it.
 */
#ifndef TICKWHEEL_ZEPHYR_H
#define TICKWHEEL_ZEPHYR_H

#include <tickwheel/tickwheel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A timeout has expired. The kernel's tick becomes the tick of the timeout, and the kernel's lock opens. */
void tickwheel_zephyr_callback_begins(struct timer_list *timer);

/** Its function has returned. Takes the kernel's lock. */
void tickwheel_zephyr_callback_ends(void);

/** The kernel's tick becomes the last one that the wheel has finished, and the kernel's lock opens for a moment. */
void tickwheel_zephyr_interrupt_window(void);

#ifdef __cplusplus
}
#endif

#endif
