/* SPDX-License-Identifier: MIT */
#ifndef SLEEP_H
#define SLEEP_H

/** Sleeps until the next timer or any other interrupt; from the main loop. Does not sleep when no timer is armed. */
void sleep_until_next_timer(void);

#endif
