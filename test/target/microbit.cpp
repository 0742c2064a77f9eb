// SPDX-License-Identifier: MIT
// Just enough of QEMU's microbit (nRF51, Cortex-M0) for the sweep: a console and an end. Its SysTick, which the sweep
// interrupts with, is the emulator's own; the silicon has none.
#include "../../boards/board.hpp"
#include "../../boards/startup/cortex_m.hpp"

namespace
{

volatile uint32_t &uart(uintptr_t offset)
{
    return *reinterpret_cast<volatile uint32_t *>(0x40002000 + offset);
}

constexpr uintptr_t start_transmitter = 0x008;
constexpr uintptr_t transmitted = 0x11C;
constexpr uintptr_t enable = 0x500;
constexpr uintptr_t transmit = 0x51C;

} // namespace

uint32_t board::init()
{
    uart(enable) = 4;
    uart(start_transmitter) = 1;
    return 16000000;
}

void board::console_put(char c)
{
    uart(transmitted) = 0;
    uart(transmit) = static_cast<unsigned char>(c);
    while (uart(transmitted) == 0) {
    }
}

void board::exit(int code)
{
    cortex_m::semihosting_exit(code);
}
