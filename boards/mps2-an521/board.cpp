// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN521 image (two Cortex-M33, 20 MHz), in the Secure state:
// "Application Note AN521", and "Arm CoreLink SSE-200 Subsystem for Embedded
// Technical Reference Manual" for the second core.
#include "cores.hpp"

#include "../parts/cmsdk_uart.hpp"

static constexpr uint32_t clock_hz = 20000000;
static constexpr uint32_t uart_clock_hz = clock_hz;
static constexpr parts::cmsdk_uart uart = {0x50200000};

#include "../parts/mps.hpp"

void board::cores::start(void (*entry)())
{
    constexpr uintptr_t vector_table_offset = 0xE000ED08;
    constexpr uintptr_t initial_vector_table_1 = 0x50021114;
    constexpr uintptr_t hold_at_reset = 0x50021118;
    constexpr unsigned vector_count = 16 + 32;
    // A core finds its vectors at a multiple of the size of all that it may have, rounded up to a power of two.
    alignas(1024) static uintptr_t vectors[vector_count];
    alignas(8) static uint32_t stack[1024];
    const auto *const own = reinterpret_cast<const uintptr_t *>(parts::at(vector_table_offset));
    for (unsigned i = 0; i < vector_count; ++i) {
        vectors[i] = own[i];
    }
    vectors[0] = reinterpret_cast<uintptr_t>(stack) + sizeof stack;
    vectors[1] = reinterpret_cast<uintptr_t>(entry);
    parts::at(initial_vector_table_1) = reinterpret_cast<uintptr_t>(vectors);
    __asm__ volatile("dsb" ::: "memory");
    parts::at(hold_at_reset) = 0;
}
