// SPDX-License-Identifier: MIT
// Registers and masks of a Cortex-M that tests on a board work with, in addition to those of the port and the board.
#pragma once

#include <stdint.h>

#include "../../boards/parts/registers.hpp"

using parts::at;

constexpr uintptr_t systick_control = 0xE000E010;
constexpr uintptr_t systick_reload = 0xE000E014;
constexpr uintptr_t systick_value = 0xE000E018;
constexpr uintptr_t interrupt_set_enable = 0xE000E100;
constexpr uintptr_t interrupt_set_pending = 0xE000E200;
constexpr uintptr_t interrupt_clear_pending = 0xE000E280;
constexpr uintptr_t interrupt_priorities = 0xE000E400;
constexpr uintptr_t interrupt_control = 0xE000ED04;
constexpr uint32_t pend_nmi = 1u << 31;
constexpr uint32_t pend_pendsv = 1u << 28;
constexpr uint32_t pend_systick = 1u << 26;
constexpr uint32_t unpend_systick = 1u << 25;
/// Bits 31..24 are the priority of SysTick, bits 23..16 that of PendSV.
constexpr uintptr_t system_priorities = 0xE000ED20;

/// Enables an interrupt below 32. Armv6-M reads and writes priorities as words only.
inline void enable_interrupt(unsigned number, uint32_t priority)
{
    const unsigned shift = number % 4 * 8;
    volatile uint32_t &priorities = at(interrupt_priorities + number / 4 * 4);
    priorities = (priorities & ~(0xFFu << shift)) | priority << shift;
    at(interrupt_set_enable) = 1u << number;
}

inline void systick_start_once(uint32_t counts)
{
    at(systick_reload) = counts;
    at(systick_value) = 0;
    at(systick_control) = 7;
}

/// The period may have passed once more before the stop, so a pending SysTick is cleared too.
inline void systick_stop()
{
    at(systick_control) = 0;
    at(interrupt_control) = unpend_systick;
}

inline void barrier()
{
    __asm__ volatile("" ::: "memory");
}

/// Waits until a pending interrupt has been taken.
inline void take_pending_interrupts()
{
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/// Masks all interrupts by PRIMASK for the length of a block.
struct masked {
    uint32_t state;
    masked()
    {
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
    }
    ~masked()
    {
        __asm__ volatile("msr primask, %0\n\tisb" ::"r"(state) : "memory");
    }
    masked(const masked &) = delete;
    masked &operator=(const masked &) = delete;
};
