// SPDX-License-Identifier: MIT
// Registers of a RISC-V core that tests on a board work with, in addition to those of the port and the board.
#pragma once

#include <stdint.h>

#include "../../boards/parts/registers.hpp"

using parts::at;

constexpr uintptr_t msip = 0x2000000;
constexpr uintptr_t mtimecmp = 0x2004000;
constexpr uintptr_t mtime = 0x200BFF8;

/// Bits of mie.
constexpr uint32_t software_interrupt = 1u << 3;
constexpr uint32_t timer_interrupt = 1u << 7;

inline void enable_interrupt(uint32_t which)
{
    __asm__ volatile("csrs mie, %0" ::"r"(which) : "memory");
}

inline void stop_alarm()
{
    at(mtimecmp + 4) = ~0u;
}

inline void barrier()
{
    __asm__ volatile("" ::: "memory");
}
