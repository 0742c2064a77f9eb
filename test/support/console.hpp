// SPDX-License-Identifier: MIT
// Prints text and numbers on a board's console: print("FAIL ", number, " at ", hex{address}, "\n").
#ifndef TICKWHEEL_TEST_SUPPORT_CONSOLE_HPP
#define TICKWHEEL_TEST_SUPPORT_CONSOLE_HPP

#include <stdint.h>

#include "../../boards/board.hpp"

inline void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

/// A number that is filled with spaces to this width.
struct padded {
    uint64_t value;
    unsigned width;
};

inline void print(padded number)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = static_cast<char>('0' + number.value % 10);
        number.value /= 10;
    } while (number.value != 0);
    for (unsigned i = count; i < number.width; ++i) {
        board::console_put(' ');
    }
    while (count != 0) {
        board::console_put(digits[--count]);
    }
}

inline void print(uint64_t value)
{
    print(padded{value, 0});
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
    print(value < 0 ? "-" : "");
    print(static_cast<uint64_t>(value < 0 ? -value : value));
}

/// A number of eight hexadecimal digits.
struct hex {
    uint32_t value;
};

inline void print(hex number)
{
    for (unsigned shift = 32; shift > 0; shift -= 4) {
        board::console_put("0123456789abcdef"[number.value >> (shift - 4) & 15u]);
    }
}

template <class First, class Second, class... Rest>
void print(First first, Second second, Rest... rest)
{
    print(first);
    print(second);
    (print(rest), ...);
}

#endif
