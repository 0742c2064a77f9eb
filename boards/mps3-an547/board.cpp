// SPDX-License-Identifier: MIT
// Arm MPS3 with the AN547 image (Cortex-M55, 32 MHz), as QEMU's mps3-an547 has it,
// all in the Secure state: "Application Note AN547", memory map and FPGA peripherals.
#include "../board.hpp"
#include "../parts/cmsdk_uart.hpp"
#include "../parts/registers.hpp"
#include "../parts/shown_lamp.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 32000000;
constexpr uint32_t peripheral_clock_hz = 25000000;
constexpr parts::cmsdk_uart uart = {0x59303000};
/// FPGAIO LED0: a bit for each of the user's LEDs.
constexpr uintptr_t leds = 0x59302000;

} // namespace

uint32_t board::init()
{
    uart.start(peripheral_clock_hz / 115200);
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
