// SPDX-License-Identifier: MIT
// RTC1 of the nRF52840 ("nRF52840 Product Specification", chapter RTC): 24 bits that count 32 768 Hz, also in sleep,
// and a compare register. NOT RUN ON HARDWARE.
#ifndef BOARDS_NRF52840DK_RTC1_HPP
#define BOARDS_NRF52840DK_RTC1_HPP

#include "../parts/registers.hpp"

namespace board
{

struct rtc1 {
    static constexpr unsigned bits = 24;
    static constexpr uint32_t hz = 32768;
    /// Two counts ahead of the counter, a compare surely comes; one ahead, perhaps.
    static constexpr uint32_t ahead = 2;

    /// The crystal, the counter, and the interrupt of its compare, IRQ17.
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
        // Read back, or the interrupt may end before the write has reached RTC1, and come once more.
        while (parts::at(base + 0x140) != 0) {
        }
    }

private:
    static constexpr uintptr_t base = 0x40011000;
};

} // namespace board

#endif
