// SPDX-License-Identifier: MIT
// SiFive's FE310 (RV32IMAC) as QEMU's machine `sifive_e` emulates it: "SiFive
// FE310-G000 Manual", chapters GPIO and UART. The emulator's mtime counts at 10 MHz,
// the chip's at 32 768 Hz.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/registers.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 10000000;

constexpr uintptr_t pins_output_enable = 0x10012008;
constexpr uintptr_t pins_output = 0x1001200C;
constexpr uintptr_t pins_function_enable = 0x10012038;
constexpr uint32_t uart_pins = 3u << 16;
/// The green lamp of the HiFive1. It shines while its pin is low.
constexpr uint32_t lamp = 1u << 19;

struct fe310_uart {
    uintptr_t base;

    /// The UART's clock is the core's, which QEMU ignores: 16 MHz with the crystal.
    void start() const
    {
        constexpr uint32_t core_hz = 16000000;
        at(base + divider) = core_hz / 115200 - 1;
        at(base + transmit_control) = 1;
        at(base + receive_control) = 1;
    }

    void put(char c) const
    {
        while ((at(base + transmit) & full_or_empty) != 0) {
        }
        at(base + transmit) = static_cast<unsigned char>(c);
    }

    int get() const
    {
        const uint32_t received = at(base + receive);
        return (received & full_or_empty) == 0 ? static_cast<int>(received & 0xFFu) : -1;
    }

private:
    static constexpr uintptr_t transmit = 0x00;
    static constexpr uintptr_t receive = 0x04;
    static constexpr uintptr_t transmit_control = 0x08;
    static constexpr uintptr_t receive_control = 0x0C;
    static constexpr uintptr_t divider = 0x18;
    static constexpr uint32_t full_or_empty = 1u << 31;
};

constexpr fe310_uart uart = {0x10013000};

} // namespace

uint32_t board::init()
{
    at(pins_function_enable) = uart_pins;
    at(pins_output) = lamp;
    at(pins_output_enable) = lamp;
    uart.start();
    return clock_hz;
}

void board::led(bool on)
{
    at(pins_output) = on ? 0 : lamp;
    parts::show_lamp(on);
}

#include "../parts/usual.hpp"
