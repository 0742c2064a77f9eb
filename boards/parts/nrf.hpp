// SPDX-License-Identifier: MIT
// The crystal, the pins and the UART of the nRF51 and nRF52: the chapters CLOCK, GPIO and UART of both manuals agree.
#pragma once

#include "registers.hpp"

namespace parts
{

/// Each bit is a pin: to set it, to clear it, to make it an output.
constexpr uintptr_t nrf_pins_set = 0x50000508;
constexpr uintptr_t nrf_pins_clear = 0x5000050C;
constexpr uintptr_t nrf_pins_output = 0x50000518;

struct nrf_uart {
    uintptr_t base;

    /// 115200 baud. Starts the crystal: the internal oscillator is not accurate enough for a UART.
    void start(uint32_t transmit_pin) const
    {
        constexpr uint32_t baud_115200 = 0x01D7E000;
        constexpr uint32_t enabled = 4;
        constexpr uintptr_t start_crystal = 0x40000000;
        constexpr uintptr_t crystal_runs = 0x40000100;
        at(start_crystal) = 1;
        while (at(crystal_runs) == 0) {
        }
        at(nrf_pins_set) = 1u << transmit_pin;
        at(nrf_pins_output) = 1u << transmit_pin;
        at(base + pin_of_transmitter) = transmit_pin;
        at(base + baud) = baud_115200;
        at(base + enable) = enabled;
        at(base + start_transmitter) = 1;
    }

    void put(char c) const
    {
        at(base + transmitted) = 0;
        at(base + transmit) = static_cast<unsigned char>(c);
        while (at(base + transmitted) == 0) {
        }
    }

private:
    static constexpr uintptr_t start_transmitter = 0x008;
    static constexpr uintptr_t transmitted = 0x11C;
    static constexpr uintptr_t enable = 0x500;
    static constexpr uintptr_t pin_of_transmitter = 0x50C;
    static constexpr uintptr_t transmit = 0x51C;
    static constexpr uintptr_t baud = 0x524;
};

} // namespace parts
