// SPDX-License-Identifier: MIT
// The clock control and the USART of the STM32F1 to F4: the reference manuals RM0041 and RM0090 describe the same
// devices.
#ifndef BOARDS_PARTS_STM32_HPP
#define BOARDS_PARTS_STM32_HPP

#include "registers.hpp"

namespace parts
{

struct stm32_clock {
    uintptr_t control;
    uintptr_t configuration;

    /// QEMU has no RCC: its registers read as 0, and the core always runs at its full speed.
    bool exists() const
    {
        constexpr uint32_t internal_ready = 1u << 1;
        return (at(control) & internal_ready) != 0;
    }

    /// Starts the PLL and runs from it, with these prescalers of the buses. Set up the PLL first.
    void run_from_pll(uint32_t prescalers) const
    {
        constexpr uint32_t pll_on = 1u << 24;
        constexpr uint32_t pll_ready = 1u << 25;
        constexpr uint32_t from_pll = 2u << 0;
        constexpr uint32_t runs_from_pll = 2u << 2;
        at(control) |= pll_on;
        while ((at(control) & pll_ready) == 0) {
        }
        at(configuration) = prescalers | from_pll;
        while ((at(configuration) & runs_from_pll) == 0) {
        }
    }
};

struct stm32_usart {
    uintptr_t base;

    /// `divider`: clocks of the USART's bus for each bit.
    void start(uint32_t divider) const
    {
        constexpr uint32_t usart_transmitter_and_receiver_enable = 1u << 13 | 1u << 3 | 1u << 2;
        at(base + baud_divider) = divider;
        at(base + control) = usart_transmitter_and_receiver_enable;
    }

    void put(char c) const
    {
        while ((at(base + state) & transmit_empty) == 0) {
        }
        at(base + data) = static_cast<unsigned char>(c);
    }

    int get() const
    {
        return (at(base + state) & receive_full) != 0 ? static_cast<int>(at(base + data) & 0xFFu) : -1;
    }

private:
    static constexpr uintptr_t state = 0x00;
    static constexpr uintptr_t data = 0x04;
    static constexpr uintptr_t baud_divider = 0x08;
    static constexpr uintptr_t control = 0x0C;
    static constexpr uint32_t receive_full = 1u << 5;
    static constexpr uint32_t transmit_empty = 1u << 7;
};

} // namespace parts

#endif
