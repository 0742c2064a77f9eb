// SPDX-License-Identifier: MIT
// What the programs share that hold sleep and time to a second timer of the board:
// printing, judging, and that timer in 64 bits of nanoseconds.
#ifndef TICKWHEEL_TEST_CHECKED_HPP
#define TICKWHEEL_TEST_CHECKED_HPP

#include <stdint.h>

#include "../../boards/board.hpp"
#include "independent/independent.hpp"

inline void print(const char *text)
{
    for (; *text != '\0'; ++text) {
        board::console_put(*text);
    }
}

inline void print(uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) {
        board::console_put(digits[--count]);
    }
}

inline void print(uint32_t value)
{
    print(uint64_t{value});
}

inline void print(unsigned value)
{
    print(uint64_t{value});
}

inline void print(int64_t value)
{
    if (value < 0) {
        print("-");
    }
    print(static_cast<uint64_t>(value < 0 ? -value : value));
}

template <class First, class Second, class... Rest>
void print(First first, Second second, Rest... rest)
{
    print(first);
    print(second, rest...);
}

inline unsigned passed;
inline unsigned failed;

inline void judge(bool good, const char *what)
{
    ++(good ? passed : failed);
    if (!good) {
        print("FAIL ", what, "\n");
    }
}

struct masked {
    uint32_t state;
    masked()
    {
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
    }
    ~masked()
    {
        __asm__ volatile("msr primask, %0\n\tisb" ::"r"(state) : "memory");
    }
    masked(const masked &) = delete;
    masked &operator=(const masked &) = delete;
};

/// The board's other timer is counted on through its wraps, which are seconds apart.
inline uint64_t widened;
inline uint32_t last_count;

inline uint64_t independent_ns()
{
    const masked all;
    const uint32_t count = independent::count();
    widened += count - last_count;
    last_count = count;
    return widened * independent::count_ns;
}

[[noreturn]] inline void end_judged()
{
    print(passed, " passed, ", failed, " failed\n");
    board::exit(failed != 0);
}

#endif
