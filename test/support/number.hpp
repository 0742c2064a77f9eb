// SPDX-License-Identifier: MIT
// The form of a number on the command line of a test program.
#pragma once

#include <stdint.h>

/// Reads a decimal number without a zero in front.
/// @return whether the text is one from `min` to `max`; if not, `number` is unchanged
template <class Number>
bool read_number(const char *text, uint64_t min, uint64_t max, Number &number)
{
    uint64_t value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; ++digit) {
        const uint64_t unit = static_cast<uint64_t>(*digit - '0');
        if (value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - unit) {
            return false;
        }
        value = value * 10 + unit;
    }
    const bool is_decimal = digit != text && *digit == 0 && (*text != '0' || digit == text + 1);
    if (!is_decimal || value < min || value > max) {
        return false;
    }
    number = static_cast<Number>(value);
    return true;
}
