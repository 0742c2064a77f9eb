/* SPDX-License-Identifier: MIT */
/* The threads of the application, the most urgent first. They do not know where callbacks run. */
#ifndef APPLICATION_H
#define APPLICATION_H

/** Sleeps 4 ticks at a time, and ends the program after the fifth. */
void control(void);

/** Sleeps 6 ticks at a time. */
void measure(void);

/** Lets the core sleep, and never waits. */
void idle(void);

/** The tick, the context, and this. */
void say(const char *who, const char *what);

#endif
