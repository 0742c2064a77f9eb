// SPDX-License-Identifier: MIT
// What is the same on every core: the way from the stack to main(), and the report of
// a fault.
#pragma once

#include "../print.hpp"

int main();

extern "C" {

using constructor = void();

// From linker/sections.ld.
extern const uint32_t board_data_load[];
extern uint32_t board_data_start[];
extern uint32_t board_data_end[];
extern uint32_t board_bss_start[];
extern uint32_t board_bss_end[];
extern constructor *const board_constructors_start[];
extern constructor *const board_constructors_end[];
}

[[noreturn]] inline void run_program()
{
    const uint32_t *from = board_data_load;
    for (uint32_t *to = board_data_start; to != board_data_end; ++to) {
        *to = *from++;
        __asm__ volatile(""); // keeps the compiler from calling memcpy()
    }
    for (uint32_t *word = board_bss_start; word != board_bss_end; ++word) {
        *word = 0;
        __asm__ volatile(""); // keeps the compiler from calling memset()
    }
    for (constructor *const *construct = board_constructors_start; construct != board_constructors_end; ++construct) {
        (*construct)();
    }
    board::exit(main());
}

/// Prints the number of an exception and the address that it interrupted.
[[noreturn]] inline void end_by_fault(uint32_t exception, uint32_t pc)
{
    print("\nfault: exception 0x", hex{exception}, " at pc 0x", hex{pc}, "\n");
    board::exit(1);
}
