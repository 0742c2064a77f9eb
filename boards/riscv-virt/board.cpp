// SPDX-License-Identifier: MIT
// The machine `virt` of QEMU with an RV32 core: "QEMU documentation, RISC-V virt".
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/uart_16550.hpp"

namespace
{

/// mtime counts at 10 MHz.
constexpr uint32_t clock_hz = 10000000;
constexpr uint32_t uart_clock_hz = 3686400;
constexpr parts::uart_16550 uart = {0x10000000};

} // namespace

uint32_t board::init()
{
    uart.start(uart_clock_hz / 16 / 115200);
    return clock_hz;
}

#include "../parts/usual.hpp"
