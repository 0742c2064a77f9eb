// SPDX-License-Identifier: MIT
// Arm MPS2 with the AN505 image (Cortex-M33, 20 MHz), as QEMU's mps2-an505 has it,
// all in the Secure state: "Application Note AN505", memory map and FPGA peripherals.
#include "../board.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

constexpr uint32_t clock_hz = 20000000;
constexpr uint32_t baud = 115200;

/// CMSDK APB UART0.
struct uart_registers {
    volatile uint32_t data;
    volatile uint32_t state;
    volatile uint32_t control;
    volatile uint32_t interrupts;
    volatile uint32_t baud_divider;
};

constexpr uint32_t transmit_full = 1u << 0;
constexpr uint32_t receive_full = 1u << 1;
constexpr uint32_t transmit_and_receive_enable = 3u;

uart_registers &uart()
{
    return *reinterpret_cast<uart_registers *>(0x50200000);
}

/// FPGAIO LED0: bits 0 and 1 are the two user LEDs.
volatile uint32_t &leds()
{
    return *reinterpret_cast<volatile uint32_t *>(0x50302000);
}

} // namespace

uint32_t board::init()
{
    uart().baud_divider = clock_hz / baud;
    uart().control = transmit_and_receive_enable;
    return clock_hz;
}

void board::console_put(char c)
{
    while ((uart().state & transmit_full) != 0) {
    }
    uart().data = static_cast<unsigned char>(c);
}

int board::console_get()
{
    return (uart().state & receive_full) != 0 ? static_cast<int>(uart().data & 0xFFu) : -1;
}

void board::led(bool on)
{
    leds() = on ? 1 : 0;
    // The emulator shows no lamp.
    for (const char *text = on ? "led on\n" : "led off\n"; *text != 0; ++text) {
        console_put(*text);
    }
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
