// SPDX-License-Identifier: MIT
// Text and numbers to the board's console.
#ifndef BOARDS_PRINT_HPP
#define BOARDS_PRINT_HPP

#include "board.hpp"

inline void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

inline void print(uint32_t number)
{
    char digits[11];
    char *first = digits + sizeof digits;
    *--first = 0;
    do {
        *--first = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(first);
}

template <class First, class Second, class... Rest>
void print(First first, Second second, Rest... rest)
{
    print(first);
    print(second);
    (print(rest), ...);
}

#endif
