// SPDX-License-Identifier: MIT
// STM32VLDISCOVERY (STM32F100, Cortex-M3, 24 MHz, 8 KiB of RAM), which QEMU
// emulates: "RM0041 Reference manual", chapters RCC, GPIO, USART.
#include "../board.hpp"
#include "../parts/registers.hpp"
#include "../parts/stm32_usart.hpp"
#include "../print.hpp"
#include "../startup/semihosting.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 24000000;
/// USART1 transmits on PA9.
constexpr parts::stm32_usart uart = {0x40013800};

constexpr uintptr_t clock_control = 0x40021000;
constexpr uintptr_t clock_configuration = 0x40021004;
constexpr uintptr_t clock_gates = 0x40021018;

constexpr uint32_t internal_ready = 1u << 1;
constexpr uint32_t pll_on = 1u << 24;
constexpr uint32_t pll_ready = 1u << 25;
constexpr uint32_t pll_half_internal_by_6 = 4u << 18;
constexpr uint32_t from_pll = 2u << 0;
constexpr uint32_t runs_from_pll = 2u << 2;
constexpr uint32_t uart_and_ports_a_and_c = 1u << 14 | 1u << 4 | 1u << 2;

constexpr uintptr_t port_a_pins_8_to_15 = 0x40010804;
constexpr uintptr_t port_c_pins_8_to_15 = 0x40011004;
constexpr uintptr_t port_c_set_and_clear = 0x40011010;

/// Each pin has four bits.
constexpr uint32_t pin_9 = 4;
constexpr uint32_t input_output_bits = 0xF;
constexpr uint32_t output_of_uart = 0xA;
constexpr uint32_t output = 0x2;

constexpr uint32_t lamp_on = 1u << 9; // PC9
constexpr uint32_t lamp_off = lamp_on << 16;

/// 24 MHz from the internal 8 MHz oscillator, which suits a UART at room temperature. QEMU has no clock control: its
/// registers read as 0, and the core always runs at its full speed.
void start_clock()
{
    if ((at(clock_control) & internal_ready) == 0) {
        return;
    }
    at(clock_configuration) = pll_half_internal_by_6;
    at(clock_control) |= pll_on;
    while ((at(clock_control) & pll_ready) == 0) {
    }
    at(clock_configuration) = pll_half_internal_by_6 | from_pll;
    while ((at(clock_configuration) & runs_from_pll) == 0) {
    }
}

void set_pin_9(uintptr_t port_pins_8_to_15, uint32_t use)
{
    at(port_pins_8_to_15) = (at(port_pins_8_to_15) & ~(input_output_bits << pin_9)) | use << pin_9;
}

} // namespace

uint32_t board::init()
{
    start_clock();
    at(clock_gates) |= uart_and_ports_a_and_c;
    set_pin_9(port_a_pins_8_to_15, output_of_uart);
    set_pin_9(port_c_pins_8_to_15, output);
    uart.start(clock_hz / 115200);
    return clock_hz;
}

void board::led(bool on)
{
    at(port_c_set_and_clear) = on ? lamp_on : lamp_off;
    print(on ? "led on\n" : "led off\n");
}

void board::exit(int code)
{
    semihosting_exit(code);
}

#include "../parts/usual.hpp"
