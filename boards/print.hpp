// SPDX-License-Identifier: MIT
// Text and numbers to the board's console.
#pragma once

#include "board.hpp"

inline void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

inline void print(char *text)
{
    print(static_cast<const char *>(text));
}

/// A number of any integer type.
template <class Number>
void print(Number number)
{
    const bool negative = number < 0;
    char digits[21];
    char *first = digits + sizeof digits;
    *--first = 0;
    do {
        const auto digit = static_cast<char>(number % 10);
        *--first = static_cast<char>(negative ? '0' - digit : '0' + digit);
        number /= 10;
    } while (number != 0);
    print(negative ? "-" : "");
    print(first);
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
