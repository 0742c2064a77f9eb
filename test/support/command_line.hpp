// SPDX-License-Identifier: MIT
// Reads the command line of a test program on a board, by semihosting.
#pragma once

#include "../../boards/startup/semihosting.hpp"
#include "number.hpp"

/// Reads the number after the program's name.
/// @return whether it is one from `min` to `max`; if not, `number` is unchanged
inline bool number_from_command_line(uint32_t min, uint32_t max, uint32_t &number)
{
    static char line[64];
    struct {
        char *text;
        uint32_t size;
    } block = {line, sizeof line};
    constexpr uint32_t sys_get_cmdline = 0x15;
    semihosting_call(sys_get_cmdline, &block);
    const char *text = line;
    while (*text != 0 && *text != ' ') {
        ++text;
    }
    while (*text == ' ') {
        ++text;
    }
    return read_number(text, min, max, number);
}
