// SPDX-License-Identifier: MIT
// The lines of the command `demo`, and what `make run` runs without a terminal. It takes five seconds.
#ifndef SHELL_DEMO_HPP
#define SHELL_DEMO_HPP

inline constexpr const char *demo_lines[] = {
    "# A tick is a millisecond. Timer 1 is a lamp that blinks.",
    "every 500",
    "wait 2100",
    "del 1",
    "# A time-out: the answer comes after 120 ms, so the timer is deleted.",
    "after 300",
    "wait 120",
    "del 1",
    "# This answer never comes.",
    "after 300",
    "wait 400",
    "# A watchdog that is fed twice, and then no more.",
    "after 100",
    "wait 80",
    "mod 1 100",
    "wait 80",
    "mod 1 100",
    "wait 150",
    "# Timers of one tick fire in the order in which they were armed.",
    "after 300",
    "wait 250",
    "after 50",
    "after 50",
    "wait 60",
    "# One timer in each level of the wheel. `skip` passes the time in between, as a core does that sleeps.",
    "after 5",
    "after 300",
    "after 20000",
    "after 1100000",
    "after 70000000",
    "list",
    "wait 310",
    "skip",
    "wait 5",
    "# Before the next one fires, jiffies wraps from 4294967295 to 0.",
    "skip",
    "wait 5",
    "skip",
    "wait 5",
};

#endif
