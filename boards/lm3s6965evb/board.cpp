// SPDX-License-Identifier: MIT
// Stellaris LM3S6965 evaluation board (Cortex-M3), which QEMU emulates:
// "LM3S6965 Microcontroller Data Sheet", chapters System Control, GPIO, UART.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/pl011_uart.hpp"
#include "../parts/registers.hpp"

namespace
{

using parts::at;

/// The PLL's 200 MHz, divided by 16. QEMU's board has this clock after reset.
constexpr uint32_t clock_hz = 12500000;
constexpr parts::pl011_uart uart = {0x4000C000};

constexpr uintptr_t raw_interrupts = 0x400FE050;
constexpr uintptr_t run_clock = 0x400FE060;
constexpr uintptr_t clock_gates_1 = 0x400FE104;
constexpr uintptr_t clock_gates_2 = 0x400FE108;

constexpr uint32_t divide_by_16 = 15u << 23;
constexpr uint32_t use_divider = 1u << 22;
constexpr uint32_t pll_power_down = 1u << 13;
constexpr uint32_t bypass_pll = 1u << 11;
constexpr uint32_t crystal_8_mhz = 14u << 6;
constexpr uint32_t internal_oscillator = 1u << 4;
constexpr uint32_t pll_locked = 1u << 6;

constexpr uint32_t uart_0 = 1u << 0;
constexpr uint32_t ports_a_and_f = 1u << 0 | 1u << 5;

constexpr uintptr_t port_a = 0x40004000;
constexpr uintptr_t port_f = 0x40025000;
constexpr uintptr_t direction = 0x400;
constexpr uintptr_t alternate_function = 0x420;
constexpr uintptr_t digital_enable = 0x51C;

constexpr uint32_t uart_pins = 1u << 0 | 1u << 1; // PA0, PA1
constexpr uint32_t lamp_pin = 1u << 0;            // PF0

/// Starts the crystal and the PLL: the internal oscillator is not accurate enough for a UART.
void start_clock()
{
    at(run_clock) = divide_by_16 | pll_power_down | bypass_pll | crystal_8_mhz | internal_oscillator;
    // Both oscillators run now. The crystal needs up to 10 ms; the loop runs at 12 MHz from the internal one.
    for (unsigned cycles_by_four = 0; cycles_by_four < 40000; ++cycles_by_four) {
        __asm__ volatile("");
    }
    at(run_clock) = divide_by_16 | bypass_pll | crystal_8_mhz;
    while ((at(raw_interrupts) & pll_locked) == 0) {
    }
    at(run_clock) = divide_by_16 | use_divider | crystal_8_mhz;
}

} // namespace

uint32_t board::init()
{
    start_clock();
    // A gate opens three cycles after the write. The next line takes longer than that.
    at(clock_gates_2) |= ports_a_and_f;
    at(clock_gates_1) |= uart_0;
    at(port_a + alternate_function) = uart_pins;
    at(port_a + digital_enable) = uart_pins;
    at(port_f + direction) = lamp_pin;
    at(port_f + digital_enable) = lamp_pin;
    uart.start(clock_hz, 115200);
    return clock_hz;
}

void board::led(bool on)
{
    // Bits 2 to 9 of the address select the pins that the write may change.
    at(port_f + (lamp_pin << 2)) = on ? lamp_pin : 0;
    parts::show_lamp(on);
}

#include "../parts/usual.hpp"
