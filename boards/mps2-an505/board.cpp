// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN505 image (Cortex-M33, 20 MHz), as QEMU's mps2-an505 has it,
// all in the Secure state: "Application Note AN505", memory map and FPGA peripherals.
#include "../board.hpp"
#include "../parts/cmsdk_uart.hpp"
#include "../parts/registers.hpp"
#include "../parts/shown_lamp.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 20000000;
constexpr parts::cmsdk_uart uart = {0x50200000};
/// FPGAIO LED0: a bit for each of the user's LEDs.
constexpr uintptr_t leds = 0x50302000;

} // namespace

uint32_t board::init()
{
    uart.start(clock_hz / 115200);
    return clock_hz;
}

void board::console_put(char c)
{
    uart.put(c);
}

int board::console_get()
{
    return uart.get();
}

void board::led(bool on)
{
    at(leds) = on ? 1 : 0;
    parts::show_lamp(on);
}

void board::tick_start(uint32_t hz)
{
    cortex_m::systick_start(clock_hz / hz);
}

void board::idle()
{
    cortex_m::wait_for_interrupt();
}

void board::exit(int code)
{
    cortex_m::semihosting_exit(code);
}
