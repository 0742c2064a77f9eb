// SPDX-License-Identifier: MIT
// Prints text and numbers on a board's console, also in columns: print("FAIL ", number, " at ", hex{address}, "\n").
#pragma once

#include "../../boards/print.hpp"

/// A number that is filled with spaces to this width.
struct padded {
    uint64_t value;
    unsigned width;
};

inline void print(padded number)
{
    unsigned count = 1;
    for (uint64_t rest = number.value / 10; rest != 0; rest /= 10) {
        ++count;
    }
    for (; count < number.width; ++count) {
        board::console_put(' ');
    }
    print(number.value);
}
