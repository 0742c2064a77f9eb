// SPDX-License-Identifier: MIT
// The UART of the nRF51 and nRF52: the chapter UART is the same in both manuals.
#ifndef BOARDS_PARTS_NRF_UART_HPP
#define BOARDS_PARTS_NRF_UART_HPP

#include "registers.hpp"

namespace parts
{

struct nrf_uart {
    uintptr_t base;

    /// 115200 baud. Set up the pins in the GPIO port first.
    void start(uint32_t transmit_pin, uint32_t receive_pin) const
    {
        constexpr uint32_t baud_115200 = 0x01D7E000;
        constexpr uint32_t enabled = 4;
        at(base + pin_of_transmitter) = transmit_pin;
        at(base + pin_of_receiver) = receive_pin;
        at(base + baud) = baud_115200;
        at(base + enable) = enabled;
        at(base + start_transmitter) = 1;
        at(base + start_receiver) = 1;
    }

    void put(char c) const
    {
        at(base + transmitted) = 0;
        at(base + transmit) = static_cast<unsigned char>(c);
        while (at(base + transmitted) == 0) {
        }
    }

    int get() const
    {
        if (at(base + received) == 0) {
            return -1;
        }
        // Clear the event first: the read lets the next character in, and that sets the event again.
        at(base + received) = 0;
        return static_cast<int>(at(base + receive) & 0xFFu);
    }

private:
    static constexpr uintptr_t start_receiver = 0x000;
    static constexpr uintptr_t start_transmitter = 0x008;
    static constexpr uintptr_t received = 0x108;
    static constexpr uintptr_t transmitted = 0x11C;
    static constexpr uintptr_t enable = 0x500;
    static constexpr uintptr_t pin_of_transmitter = 0x50C;
    static constexpr uintptr_t pin_of_receiver = 0x514;
    static constexpr uintptr_t receive = 0x518;
    static constexpr uintptr_t transmit = 0x51C;
    static constexpr uintptr_t baud = 0x524;
};

} // namespace parts

#endif
