// SPDX-License-Identifier: MIT
// Reads the command line of a test program on a board, by semihosting.
#ifndef TICKWHEEL_TEST_SUPPORT_COMMAND_LINE_HPP
#define TICKWHEEL_TEST_SUPPORT_COMMAND_LINE_HPP

#include <stdint.h>

/// @return the number after the program's name, 0 without one
inline uint32_t number_from_command_line()
{
    static char line[64];
    struct {
        char *text;
        uint32_t size;
    } block = {line, sizeof line};
#if defined(__riscv)
    register uint32_t operation __asm__("a0") = 0x15;
    register void *argument __asm__("a1") = &block;
    __asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\tslli zero, zero, 0x1f\n\tebreak\n\t"
                     "srai zero, zero, 7\n\t.option pop"
                     : "+r"(operation)
                     : "r"(argument)
                     : "memory");
#else
    register uint32_t operation __asm__("r0") = 0x15;
    register void *argument __asm__("r1") = &block;
#if __ARM_ARCH_PROFILE == 'M'
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
#elif defined(__thumb__)
    __asm__ volatile("svc 0xab" : "+r"(operation) : "r"(argument) : "memory");
#else
    __asm__ volatile("svc 0x123456" : "+r"(operation) : "r"(argument) : "memory");
#endif
#endif
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
