// SPDX-License-Identifier: MIT
// The 16550 UART, with a register in each byte: "PC16550D Universal Asynchronous
// Receiver/Transmitter with FIFOs", chapter 8.
#pragma once

#include <stdint.h>

namespace parts
{

struct uart_16550 {
    uintptr_t base;

    /// `divider`: the UART's clocks for each bit, divided by 16.
    void start(uint8_t divider) const
    {
        constexpr uint8_t eight_bits = 3;
        constexpr uint8_t divider_access = 1u << 7;
        at(line_control) = eight_bits | divider_access;
        at(divider_low) = divider;
        at(divider_high) = 0;
        at(line_control) = eight_bits;
    }

    void put(char c) const
    {
        while ((at(line_status) & transmit_empty) == 0) {
        }
        at(data) = static_cast<uint8_t>(c);
    }

private:
    static constexpr uintptr_t data = 0;
    static constexpr uintptr_t divider_low = 0;
    static constexpr uintptr_t divider_high = 1;
    static constexpr uintptr_t line_control = 3;
    static constexpr uintptr_t line_status = 5;
    static constexpr uint8_t transmit_empty = 1u << 5;

    volatile uint8_t &at(uintptr_t offset) const
    {
        return *reinterpret_cast<volatile uint8_t *>(base + offset);
    }
};

} // namespace parts
