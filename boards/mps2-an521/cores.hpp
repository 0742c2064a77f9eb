// SPDX-License-Identifier: MIT
// The two cores of the AN521: which one runs, how the second one starts, and how one
// interrupts the other. "Arm CoreLink SSE-200 Technical Reference Manual".
#pragma once

#include "../parts/registers.hpp"

namespace board
{

struct cores {
    static constexpr unsigned count = 2;

    /// @return the number of the core that calls, 0 or 1
    static unsigned here()
    {
        constexpr uintptr_t cpu_identity = 0x5001F000;
        return parts::at(cpu_identity);
    }

    /// One round of a loop that waits for the other core. Without it the emulator does not let the other core run.
    static void wait()
    {
        __asm__ volatile("yield" ::: "memory");
    }

    /// Starts core 1, which is held at reset. It has the handlers of core 0 and 4 KiB of stack. `entry` never
    /// returns.
    static void start(void (*entry)());

    /// Enables the interrupts that other cores send to this core: IRQ6_Handler().
    static void accept_interrupts()
    {
        constexpr uintptr_t interrupt_set_enable = 0xE000E100;
        parts::at(interrupt_set_enable) = 1u << 6;
    }

    /// Interrupts a core: the message handling unit.
    static void interrupt(unsigned core)
    {
        // What was written before must be visible to the handler.
        __asm__ volatile("dmb" ::: "memory");
        parts::at(message_handling_unit + 0x10 * core + 0x04) = 1;
    }

    /// The handler calls this first.
    static void clear_interrupt()
    {
        parts::at(message_handling_unit + 0x10 * here() + 0x08) = 1;
    }

private:
    static constexpr uintptr_t message_handling_unit = 0x50003000;
};

} // namespace board
