// SPDX-License-Identifier: MIT
// The frame of the programs that measure on a board: checks that are counted, and the line of the verdict.
#pragma once

#include "../support/console.hpp"

inline unsigned passed;
inline unsigned failed;

/// Prints what fails only.
inline void check(bool good, const char *what)
{
    ++(good ? passed : failed);
    if (!good && failed <= 20) {
        print("FAIL  ", what, "\n");
    }
}

template <class... Parts>
void report(bool good, Parts... parts)
{
    ++(good ? passed : failed);
    print(good ? "ok    " : "FAIL  ", parts..., "\n");
}

[[noreturn]] inline void end_checks()
{
    print(passed, " passed, ", failed, " failed\n");
    board::exit(failed != 0);
}
