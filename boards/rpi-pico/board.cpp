// SPDX-License-Identifier: MIT
// Raspberry Pi Pico (RP2040, Cortex-M0+), which rp2040js emulates: "RP2040 Datasheet",
// chapters 2 and 4. NOT RUN ON HARDWARE. The core runs from the 12 MHz crystal and does
// not start the PLL, so less can fail. The second core stays in the boot ROM.
#include "../board.hpp"
#include "../parts/pl011_uart.hpp"
#include "../parts/registers.hpp"
#include "../startup/semihosting.hpp"

namespace
{

using parts::at;

constexpr uint32_t clock_hz = 12000000;
/// UART0 transmits on GPIO 0.
constexpr parts::pl011_uart uart = {0x40034000};

constexpr uintptr_t resets = 0x4000C000;
constexpr uintptr_t resets_done = 0x4000C008;
/// A write at this distance clears bits of the register.
constexpr uintptr_t clear_bits = 0x3000;
constexpr uint32_t pins_pads_and_uart = 1u << 5 | 1u << 8 | 1u << 22;

constexpr uintptr_t crystal_control = 0x40024000;
constexpr uintptr_t crystal_status = 0x40024004;
constexpr uintptr_t crystal_startup = 0x4002400C;
constexpr uint32_t crystal_of_1_to_15_mhz = 0xAA0;
constexpr uint32_t crystal_enable = 0xFABu << 12;
constexpr uint32_t crystal_stable = 1u << 31;
/// 1 ms, in units of 256 cycles at 12 MHz.
constexpr uint32_t startup_delay = 47;

constexpr uintptr_t reference_clock = 0x40008030;
constexpr uintptr_t reference_clock_selected = 0x40008038;
constexpr uintptr_t peripheral_clock = 0x40008048;
constexpr uint32_t from_crystal = 2;
constexpr uint32_t selected_crystal = 1u << from_crystal;
constexpr uint32_t enable_from_system_clock = 1u << 11;

constexpr uintptr_t pin_0_function = 0x40014004;
constexpr uintptr_t bytes_per_pin = 8;
constexpr uint32_t function_uart = 2;
constexpr uint32_t function_processor = 5;
constexpr uintptr_t pins_set = 0xD0000014;
constexpr uintptr_t pins_clear = 0xD0000018;
constexpr uintptr_t pins_output = 0xD0000024;
constexpr unsigned lamp_pin = 25;

/// The internal oscillator is not accurate enough for a UART. After reset, the system clock follows the reference
/// clock.
void start_clock()
{
    at(crystal_startup) = startup_delay;
    at(crystal_control) = crystal_enable | crystal_of_1_to_15_mhz;
    while ((at(crystal_status) & crystal_stable) == 0) {
    }
    at(reference_clock) = from_crystal;
    while ((at(reference_clock_selected) & selected_crystal) == 0) {
    }
    at(peripheral_clock) = enable_from_system_clock;
}

} // namespace

uint32_t board::init()
{
    start_clock();
    at(resets + clear_bits) = pins_pads_and_uart;
    while ((~at(resets_done) & pins_pads_and_uart) != 0) {
    }
    uart.start(clock_hz, 115200);
    at(pin_0_function) = function_uart;
    at(pins_output) = 1u << lamp_pin;
    at(pin_0_function + lamp_pin * bytes_per_pin) = function_processor;
    return clock_hz;
}

void board::led(bool on)
{
    at(on ? pins_set : pins_clear) = 1u << lamp_pin;
}

void board::exit(int code)
{
    semihosting_exit(code);
}

#include "../parts/usual.hpp"
