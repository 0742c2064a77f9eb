// SPDX-License-Identifier: MIT
// The CMSDK APB UART of Arm's FPGA boards: "Cortex-M System Design Kit Technical
// Reference Manual", 4.3.
#pragma once

#include "registers.hpp"

namespace parts
{

struct cmsdk_uart {
    uintptr_t base;

    /// `divider`: the UART's clocks for each bit, at least 16.
    void start(uint32_t divider) const
    {
        constexpr uint32_t transmit_enable = 1;
        at(base + baud_divider) = divider;
        at(base + control) = transmit_enable;
    }

    void put(char c) const
    {
        while ((at(base + state) & transmit_full) != 0) {
        }
        at(base + data) = static_cast<unsigned char>(c);
    }

private:
    static constexpr uintptr_t data = 0x00;
    static constexpr uintptr_t state = 0x04;
    static constexpr uintptr_t control = 0x08;
    static constexpr uintptr_t baud_divider = 0x10;
    static constexpr uint32_t transmit_full = 1u << 0;
};

} // namespace parts
