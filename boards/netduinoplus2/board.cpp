// SPDX-License-Identifier: MIT
// Netduino Plus 2 (STM32F405, Cortex-M4F, 168 MHz), which QEMU emulates:
// "RM0090 Reference manual", chapters RCC, Flash, GPIO, USART.
#include "../board.hpp"
#include "../parts/emulated.hpp"
#include "../parts/registers.hpp"
#include "../parts/stm32.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 168000000;
constexpr uint32_t uart_bus_hz = clock_hz / 2;
/// USART1 transmits on PB6 and receives on PB7. The emulator's first serial line.
constexpr parts::stm32_usart uart = {0x40011000};

constexpr uintptr_t flash_access = 0x40023C00;
constexpr parts::stm32_clock clock = {0x40023800, 0x40023808};
constexpr uintptr_t pll_configuration = 0x40023804;
constexpr uintptr_t port_clock_gates = 0x40023830;
constexpr uintptr_t uart_clock_gates = 0x40023844;

constexpr uint32_t five_wait_states_and_caches = 1u << 10 | 1u << 9 | 1u << 8 | 5u;
/// 16 MHz / 8 x 168 / 2; USB gets 16 MHz / 8 x 168 / 7.
constexpr uint32_t pll_168_mhz = 7u << 24 | 168u << 6 | 8u;
constexpr uint32_t buses_by_4_and_2 = 4u << 13 | 5u << 10;
constexpr uint32_t ports_a_and_b = 1u << 1 | 1u << 0;
constexpr uint32_t uart_1 = 1u << 4;

constexpr uintptr_t port_a = 0x40020000;
constexpr uintptr_t port_b = 0x40020400;
constexpr uintptr_t mode = 0x00;
constexpr uintptr_t set_and_clear = 0x18;
constexpr uintptr_t alternate_functions_0_to_7 = 0x20;

/// `mode` has two bits for each pin. The alternate functions have four, and 7 selects the USART.
constexpr uint32_t uart_pins_mode = 2u << 14 | 2u << 12;
constexpr uint32_t uart_pins_function = 7u << 28 | 7u << 24;
constexpr uint32_t lamp_pin_mode = 1u << 20;
constexpr uint32_t lamp_on = 1u << 10; // PA10
constexpr uint32_t lamp_off = lamp_on << 16;

/// 168 MHz from the internal 16 MHz oscillator, which suits a UART at room temperature.
void start_clock()
{
    if (clock.exists()) {
        at(flash_access) = five_wait_states_and_caches;
        at(pll_configuration) = pll_168_mhz;
        clock.run_from_pll(buses_by_4_and_2);
    }
}

} // namespace

uint32_t board::init()
{
    start_clock();
    // A gate opens two cycles after the write. The next line takes longer than that.
    at(port_clock_gates) |= ports_a_and_b;
    at(uart_clock_gates) |= uart_1;
    at(port_b + alternate_functions_0_to_7) |= uart_pins_function;
    at(port_b + mode) |= uart_pins_mode;
    at(port_a + mode) |= lamp_pin_mode;
    uart.start(uart_bus_hz / 115200);
    return clock_hz;
}

void board::led(bool on)
{
    at(port_a + set_and_clear) = on ? lamp_on : lamp_off;
    parts::show_lamp(on);
}

#include "../parts/usual.hpp"
