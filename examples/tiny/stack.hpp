// SPDX-License-Identifier: MIT
// Measures the stack: paint() fills the free RAM, and deepest() looks how much of it has been overwritten.
#ifndef TINY_STACK_HPP
#define TINY_STACK_HPP

#include <stdint.h>

// From linker/sections.ld. The last one is a number, not an address.
extern "C" uint32_t board_bss_end[];
extern "C" uint32_t board_stack_top[];
extern "C" const char board_stack_size[];

namespace stack
{

constexpr uint32_t paint_word = 0xA5A5A5A5;

/// Call this at the start of main(), before interrupts use the stack.
inline void paint()
{
    const auto *const in_use = static_cast<const uint32_t *>(__builtin_frame_address(0)) - 16;
    for (uint32_t *word = board_bss_end; word < in_use; ++word) {
        *word = paint_word;
        __asm__ volatile(""); // keeps the compiler from calling memset(), which would paint its own frame
    }
}

/// The most bytes that the stack has had since paint().
inline uint32_t deepest()
{
    const uint32_t *word = board_bss_end;
    while (word != board_stack_top && *word == paint_word) {
        ++word;
    }
    return static_cast<uint32_t>(board_stack_top - word) * 4;
}

/// The bytes that the linker has kept for the stack.
inline uint32_t stated()
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(board_stack_size));
}

} // namespace stack

#endif
