// SPDX-License-Identifier: MIT
// RTC1 of the nRF52840 ("nRF52840 Product Specification", chapters CLOCK and RTC): a
// 24-bit counter that also runs in sleep, and a compare register. NOT RUN ON HARDWARE.
#pragma once

#include "../parts/registers.hpp"

namespace board
{

struct rtc1 {
    static constexpr unsigned bits = 24;
    static constexpr uint32_t hz = 32768;
    /// A compare that is two counts ahead always comes. One that is one count ahead may be missed.
    static constexpr uint32_t min_ahead = 2;

    /// The events that can interrupt, by the numbers of their bits.
    enum event : unsigned { each_count = 0, alarm = 16 };

    /// Starts the crystal, and the counter at hz / (prescaler + 1). Enables the interrupt of an event, IRQ17.
    static void start(uint32_t prescaler = 0, event interrupt = alarm)
    {
        constexpr uintptr_t start_slow_crystal = 0x40000008;
        constexpr uintptr_t slow_crystal_runs = 0x40000104;
        constexpr uintptr_t slow_source = 0x40000518;
        constexpr uintptr_t interrupt_set_enable = 0xE000E100;
        parts::at(slow_source) = 1;
        parts::at(start_slow_crystal) = 1;
        while (parts::at(slow_crystal_runs) == 0) {
        }
        // The prescaler accepts a value only while RTC1 is stopped.
        parts::at(base + stop) = 1;
        parts::at(base + prescaler_of_counter) = prescaler;
        parts::at(base + clear) = 1;
        clear_event(interrupt);
        parts::at(base + interrupt_set) = 1u << interrupt;
        parts::at(interrupt_set_enable) = 1u << 17;
        parts::at(base + run) = 1;
    }
    static uint32_t read()
    {
        return parts::at(base + counter);
    }
    static void set_alarm(uint32_t at)
    {
        parts::at(base + compare) = at;
    }
    static void clear_event(event which)
    {
        parts::at(base + events + 4 * which) = 0;
        // Read back, or the interrupt may end before the write reaches RTC1. Then it would come again.
        while (parts::at(base + events + 4 * which) != 0) {
        }
    }
    static void clear_alarm()
    {
        clear_event(alarm);
    }

private:
    static constexpr uintptr_t base = 0x40011000;
    static constexpr uintptr_t run = 0x000;
    static constexpr uintptr_t stop = 0x004;
    static constexpr uintptr_t clear = 0x008;
    static constexpr uintptr_t events = 0x100;
    static constexpr uintptr_t interrupt_set = 0x304;
    static constexpr uintptr_t counter = 0x504;
    static constexpr uintptr_t prescaler_of_counter = 0x508;
    static constexpr uintptr_t compare = 0x540;
};

} // namespace board
