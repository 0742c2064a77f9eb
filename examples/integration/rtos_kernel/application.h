/* SPDX-License-Identifier: MIT */
/* The threads of the application, the most urgent first. They do not depend on where callbacks run. */
#ifndef APPLICATION_H
#define APPLICATION_H

/** Sleeps 4 ticks, five times, then ends the program. */
void control(void);

/** Sleeps 6 ticks, again and again. */
void measure(void);

/** Lets the core sleep. It never waits for a wake-up. */
void idle(void);

/** Prints the tick, the context and both texts. */
void say(const char *who, const char *what);

#endif
