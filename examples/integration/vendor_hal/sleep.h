/* SPDX-License-Identifier: MIT */
#ifndef SLEEP_H
#define SLEEP_H

/** Sleeps until the next timer or any other interrupt. Does not sleep if no timer is armed. For the main loop. */
void sleep_until_next_timer(void);

#endif
