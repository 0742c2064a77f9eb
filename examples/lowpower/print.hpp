// SPDX-License-Identifier: MIT
// Numbers on the console of a board.
#ifndef PRINT_HPP
#define PRINT_HPP

#include "../../boards/board.hpp"

inline void print_number(unsigned number)
{
    char digits[10];
    unsigned count = 0;
    do {
        digits[count++] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count != 0) {
        board::console_put(digits[--count]);
    }
}

/// Text in which each %u stands for a number.
template <class... Numbers>
void print(const char *text, Numbers... numbers)
{
    const unsigned values[] = {numbers...};
    unsigned next = 0;
    for (; *text != '\0'; ++text) {
        if (text[0] == '%' && text[1] == 'u') {
            print_number(values[next++]);
            ++text;
        } else {
            board::console_put(*text);
        }
    }
}

#endif
