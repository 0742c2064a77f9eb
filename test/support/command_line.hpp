// SPDX-License-Identifier: MIT
// Reads the command line of a test program on a board, by semihosting.
#ifndef TICKWHEEL_TEST_SUPPORT_COMMAND_LINE_HPP
#define TICKWHEEL_TEST_SUPPORT_COMMAND_LINE_HPP

#include "../../boards/startup/semihosting.hpp"

/// @return the number after the program's name, 0 without one
inline uint32_t number_from_command_line()
{
    static char line[64];
    struct {
        char *text;
        uint32_t size;
    } block = {line, sizeof line};
    constexpr uint32_t sys_get_cmdline = 0x15;
    semihosting_call(sys_get_cmdline, &block);
    uint32_t number = 0;
    const char *digit = line;
    while (*digit != 0 && *digit != ' ') {
        ++digit;
    }
    while (*digit == ' ') {
        ++digit;
    }
    for (; *digit >= '0' && *digit <= '9'; ++digit) {
        number = number * 10 + static_cast<uint32_t>(*digit - '0');
    }
    return number;
}

#endif
