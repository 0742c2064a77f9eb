// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN385 image (Cortex-M3, 25 MHz), as QEMU's mps2-an385 has it:
// "Application Note AN385", chapter 3 (memory map), 4 (peripherals).
#include "../board.hpp"
#include "../parts/cmsdk_uart.hpp"
#include "../parts/registers.hpp"
#include "../parts/shown_lamp.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 25000000;
constexpr parts::cmsdk_uart uart = {0x40004000};
/// FPGAIO LED0: a bit for each of the user's LEDs.
constexpr uintptr_t leds = 0x40028000;

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
