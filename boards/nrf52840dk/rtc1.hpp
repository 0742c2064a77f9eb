// SPDX-License-Identifier: MIT
// RTC1 of the nRF52840 ("nRF52840 Product Specification", chapter RTC): a 24-bit counter at 32 768 Hz that also runs
// in sleep, and a compare register. NOT RUN ON HARDWARE.
#ifndef BOARDS_NRF52840DK_RTC1_HPP
#define BOARDS_NRF52840DK_RTC1_HPP

#include "../parts/registers.hpp"

namespace board
{

struct rtc1 {
    static constexpr unsigned bits = 24;
    static constexpr uint32_t hz = 32768;
    /// A compare that is two counts ahead always comes. One that is one count ahead may be missed.
    static constexpr uint32_t ahead = 2;

    /// Starts the crystal and the counter, and enables the interrupt of the compare, IRQ17.
    static void start()
    {
        parts::at(0x40000518) = 1;
        parts::at(0x40000008) = 1;
        while (parts::at(0x40000104) == 0) {
        }
        parts::at(base + 0x004) = 1;
        parts::at(base + 0x508) = 0;
        parts::at(base + 0x304) = 1u << 16;
        parts::at(0xE000E100) = 1u << 17;
        parts::at(base + 0x000) = 1;
    }
    static uint32_t read()
    {
        return parts::at(base + 0x504);
    }
    static void set_alarm(uint32_t at)
    {
        parts::at(base + 0x540) = at;
    }
    static void clear_alarm()
    {
        parts::at(base + 0x140) = 0;
        // Read back, or the interrupt may end before the write reaches RTC1. Then it would come again.
        while (parts::at(base + 0x140) != 0) {
        }
    }

private:
    static constexpr uintptr_t base = 0x40011000;
};

} // namespace board

#endif
