// SPDX-License-Identifier: MIT
// The frame of the programs that measure sleep and time on a board: checks that are counted, the line of the verdict,
// and the time of the board's second timer in 64 bits.
#ifndef TICKWHEEL_TEST_BOARDS_FRAME_HPP
#define TICKWHEEL_TEST_BOARDS_FRAME_HPP

#include "../support/console.hpp"

inline unsigned passed;
inline unsigned failed;

inline void check(bool good, const char *what)
{
    ++(good ? passed : failed);
    if (!good && failed <= 20) {
        print("FAIL ", what, "\n");
    }
}

[[noreturn]] inline void end_checks()
{
    print(passed, " passed, ", failed, " failed\n");
    board::exit(failed != 0);
}

// On a RISC-V board the counter of the tick itself tells the time.
#if !defined(__riscv)

#include "independent/independent.hpp"

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

#endif
