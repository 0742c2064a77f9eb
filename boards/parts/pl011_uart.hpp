// SPDX-License-Identifier: MIT
// Arm's PrimeCell UART PL011, in the RP2040 and in Arm's boards: "PrimeCell UART
// (PL011) Technical Reference Manual", chapter 3.
#pragma once

#include "registers.hpp"

namespace parts
{

struct pl011_uart {
    uintptr_t base;

    void start(uint32_t clock_hz, uint32_t baud) const
    {
        constexpr uint32_t eight_bits_and_fifos = 3u << 5 | 1u << 4;
        constexpr uint32_t transmit_and_uart_enable = 1u << 8 | 1u << 0;
        // A bit takes 16 clocks times the divider. The divider is in 64ths: clock / (16 x baud) x 64, rounded.
        const uint32_t divider = (clock_hz * 8 / baud + 1) / 2;
        at(base + integer_divider) = divider / 64;
        at(base + fraction_divider) = divider % 64;
        // This write puts the divider into effect.
        at(base + line_control) = eight_bits_and_fifos;
        at(base + control) = transmit_and_uart_enable;
    }

    void put(char c) const
    {
        while ((at(base + flags) & transmit_full) != 0) {
        }
        at(base + data) = static_cast<unsigned char>(c);
    }

private:
    static constexpr uintptr_t data = 0x00;
    static constexpr uintptr_t flags = 0x18;
    static constexpr uintptr_t integer_divider = 0x24;
    static constexpr uintptr_t fraction_divider = 0x28;
    static constexpr uintptr_t line_control = 0x2C;
    static constexpr uintptr_t control = 0x30;
    static constexpr uint32_t transmit_full = 1u << 5;
};

} // namespace parts
