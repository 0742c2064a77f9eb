// SPDX-License-Identifier: MIT
// Shared by the programs that compare sleep and time with a second timer of the
// board: checks that are counted, and the time of that timer in 64 bits.
#ifndef TICKWHEEL_TEST_BOARDS_CHECKED_HPP
#define TICKWHEEL_TEST_BOARDS_CHECKED_HPP

#include "../support/console.hpp"
#include "independent/independent.hpp"

inline unsigned passed;
inline unsigned failed;

inline void check(bool good, const char *what)
{
    ++(good ? passed : failed);
    if (!good) {
        print("FAIL ", what, "\n");
    }
}

[[noreturn]] inline void end_checks()
{
    print(passed, " passed, ", failed, " failed\n");
    board::exit(failed != 0);
}

/// The time of the board's second timer. Call it at least once a wrap: the 32-bit counts wrap after seconds.
inline uint64_t independent_ns()
{
    static uint64_t counts;
    static uint32_t last_count;
    const masked all;
    const uint32_t count = independent::count();
    counts += count - last_count;
    last_count = count;
    return counts * independent::count_ns;
}

inline uint64_t counts_to_ns(uint32_t counts, uint32_t hz)
{
    return uint64_t{counts} * 1000000000 / hz;
}

#endif
