// SPDX-License-Identifier: MIT
/// @file
/// LPTIM1 of an STM32 for one-shot mode, which also counts in Stop mode ("RM0351 Reference manual", chapter LPTIM).
/// The last two members are those of an L4. Another family has other numbers: change a copy. NOT RUN ON HARDWARE.
#ifndef TICKWHEEL_COUNTER_HPP
#define TICKWHEEL_COUNTER_HPP

#include <stdint.h>

/// The counter of the default wheel. LPTIM1_IRQHandler() calls clear_alarm(), then tickwheel_interrupt().
struct tickwheel_counter {
    static constexpr unsigned bits = 16;
    static constexpr uint32_t hz = 32768;
    /// A write of CMP takes effect three counts later, the alarm is a count early, and so may be what read() returns.
    static constexpr uint32_t min_ahead = 5;

    /// Starts LPTIM1. The program has given it the clock LSE before, and enables its interrupt in the NVIC
    /// afterwards.
    static void enable()
    {
        // This one is written before ENABLE, the others after it.
        word(interrupts) = matched;
        word(control) = 1;
        word(reload) = last;
        word(compare) = last - 1;
        while ((word(status) & reload_written) == 0) {
        }
        word(control) = 1 | start_continuous;
    }
    static uint32_t read()
    {
        // It counts by another clock than the core, so a read may fall into a change.
        uint32_t count = word(counter);
        for (uint32_t again; (again = word(counter)) != count; count = again) {
        }
        return count;
    }
    static void set_alarm(uint32_t at)
    {
        // It matches when the counter leaves the value of CMP, and CMP must be less than ARR.
        const uint32_t before = (at - 1) & last;
        // A second write must wait for the first, here with interrupts masked: at most three counts.
        while ((word(status) & compare_written) == 0) {
        }
        word(clear) = compare_written;
        word(compare) = before < last ? before : last - 1;
    }
    static void pend_alarm()
    {
        constexpr uintptr_t set_pending = 0xE000E200;
        *reinterpret_cast<volatile uint32_t *>(set_pending + interrupt_number / 32 * 4) = 1u << interrupt_number % 32;
    }
    static void clear_alarm()
    {
        word(clear) = matched;
        // Read back, or the interrupt may end before the write reaches LPTIM1, and come again.
        [[maybe_unused]] const uint32_t read = word(status);
    }

private:
    enum : uintptr_t { status, clear = 4, interrupts = 8, control = 16, compare = 20, reload = 24, counter = 28 };
    /// Bits of `status`, `clear` and `interrupts`, and one of `control`.
    enum : uint32_t { matched = 1, compare_written = 8, reload_written = 16, start_continuous = 4 };
    static constexpr uint32_t last = 0xFFFF;

    static volatile uint32_t &word(uintptr_t offset)
    {
        return *reinterpret_cast<volatile uint32_t *>(base + offset);
    }

    static constexpr unsigned interrupt_number = 65;
    static constexpr uintptr_t base = 0x40007C00;
};

#endif
