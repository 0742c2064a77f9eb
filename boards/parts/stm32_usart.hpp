// SPDX-License-Identifier: MIT
// The USART of the STM32F1 to F4: the reference manuals RM0041 and RM0090 describe the same device.
#pragma once

#include "registers.hpp"

namespace parts
{

struct stm32_usart {
    uintptr_t base;

    /// `divider`: clocks of the USART's bus for each bit.
    void start(uint32_t divider) const
    {
        constexpr uint32_t usart_and_transmitter_enable = 1u << 13 | 1u << 3;
        at(base + baud_divider) = divider;
        at(base + control) = usart_and_transmitter_enable;
    }

    void put(char c) const
    {
        while ((at(base + state) & transmit_empty) == 0) {
        }
        at(base + data) = static_cast<unsigned char>(c);
    }

private:
    static constexpr uintptr_t state = 0x00;
    static constexpr uintptr_t data = 0x04;
    static constexpr uintptr_t baud_divider = 0x08;
    static constexpr uintptr_t control = 0x0C;
    static constexpr uint32_t transmit_empty = 1u << 7;
};

} // namespace parts
