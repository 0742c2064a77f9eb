// SPDX-License-Identifier: MIT
// The CMSDK dual timer of an MPS2 counts down at a sixteenth of 25 MHz. Its second half is the counter, its first
// half the alarm, after so many counts.
#pragma once

#include <tickwheel/cortex_m_counter_base.hpp>

#include "../../../support/core_registers.hpp"

struct tickwheel_counter : tickwheel::cortex_m_counter_base {
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = 25000000 / 16;
    static constexpr uint32_t min_ahead = 1;

    static void enable()
    {
        constexpr uint32_t wraps_32_bits_by_16 = 0x86;
        at(counter) = ~0u;
        at(counter + control) = wraps_32_bits_by_16;
        enable_interrupt(10, 0x80);
    }
    static uint32_t read()
    {
        return ~at(counter + value);
    }
    static void set_alarm(uint32_t when)
    {
        constexpr uint32_t once_32_bits_by_16_interrupt = 0xA7;
        const uint32_t counts = when - read();
        at(alarm + control) = 0;
        at(alarm) = counts == 0 ? 1 : counts;
        at(alarm + control) = once_32_bits_by_16_interrupt;
    }
    static void pend_alarm()
    {
        at(interrupt_set_pending) = 1u << 10;
    }
    static void clear_alarm()
    {
        constexpr uintptr_t interrupt_clear = 12;
        at(alarm + interrupt_clear) = 1;
    }

private:
    static constexpr uintptr_t alarm = 0x40002000;
    static constexpr uintptr_t counter = 0x40002020;
    static constexpr uintptr_t value = 4;
    static constexpr uintptr_t control = 8;
};

#define COUNTER_HANDLER IRQ10_Handler
