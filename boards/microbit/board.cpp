// SPDX-License-Identifier: MIT
// BBC micro:bit (nRF51822, Cortex-M0, 16 MHz), as QEMU's microbit has it: "nRF51
// Series Reference Manual", chapters GPIO and UART. One thing is the emulator's
// alone: SysTick, which the chip does without. On silicon the console and the lamp
// work, and no tick comes.
#include "../board.hpp"
#include "../startup/cortex_m.hpp"

namespace
{

constexpr uint32_t clock_hz = 16000000;

volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

constexpr uintptr_t clock_start = 0x40000000;
constexpr uintptr_t clock_started = 0x40000100;

constexpr uintptr_t uart = 0x40002000;
constexpr uintptr_t uart_start_receiver = uart + 0x000;
constexpr uintptr_t uart_start_transmitter = uart + 0x008;
constexpr uintptr_t uart_received = uart + 0x108;
constexpr uintptr_t uart_transmitted = uart + 0x11C;
constexpr uintptr_t uart_enable = uart + 0x500;
constexpr uintptr_t uart_transmit_pin = uart + 0x50C;
constexpr uintptr_t uart_receive_pin = uart + 0x514;
constexpr uintptr_t uart_receive = uart + 0x518;
constexpr uintptr_t uart_transmit = uart + 0x51C;
constexpr uintptr_t uart_baud = uart + 0x524;

constexpr uint32_t transmit_pin = 24;
constexpr uint32_t receive_pin = 25;
constexpr uint32_t baud_115200 = 0x01D7E000;

constexpr uintptr_t pins_set = 0x50000508;
constexpr uintptr_t pins_clear = 0x5000050C;
constexpr uintptr_t pins_output = 0x50000518;

/// One lamp of the matrix, the upper left one, shines while its row is high and its column low.
constexpr uint32_t row_1 = 1u << 13;
constexpr uint32_t column_1 = 1u << 4;

} // namespace

uint32_t board::init()
{
    // The crystal: the oscillator that the chip starts with is too coarse for a UART.
    at(clock_start) = 1;
    while (at(clock_started) == 0) {
    }
    at(pins_set) = 1u << transmit_pin;
    at(pins_clear) = row_1 | column_1;
    at(pins_output) = 1u << transmit_pin | row_1 | column_1;
    at(uart_transmit_pin) = transmit_pin;
    at(uart_receive_pin) = receive_pin;
    at(uart_baud) = baud_115200;
    at(uart_enable) = 4;
    at(uart_start_transmitter) = 1;
    at(uart_start_receiver) = 1;
    return clock_hz;
}

void board::console_put(char c)
{
    at(uart_transmitted) = 0;
    at(uart_transmit) = static_cast<unsigned char>(c);
    while (at(uart_transmitted) == 0) {
    }
}

int board::console_get()
{
    if (at(uart_received) == 0) {
        return -1;
    }
    // First the event: reading lets the next character in, which sets it again.
    at(uart_received) = 0;
    return static_cast<int>(at(uart_receive) & 0xFFu);
}

void board::led(bool on)
{
    at(on ? pins_set : pins_clear) = row_1;
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
