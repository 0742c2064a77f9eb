// SPDX-License-Identifier: MIT
// The second boot stage of the RP2040: the boot ROM copies the first 256 bytes of
// the flash to RAM, checks their checksum (checksum.py) and runs them there. They
// set the serial flash interface up so that the flash can be read as memory
// ("RP2040 Datasheet", 2.8.1, 4.10), by the command that every serial flash has
// and that asks for nothing to be switched on: 03h, one bit at a time. Slow, and
// right. NOT RUN ON HARDWARE.
#include "../parts/registers.hpp"

namespace
{

constexpr uintptr_t interface = 0x18000000;
constexpr uintptr_t control_0 = interface + 0x00;
constexpr uintptr_t control_1 = interface + 0x04;
constexpr uintptr_t enable = interface + 0x08;
constexpr uintptr_t clock_divider = interface + 0x14;
constexpr uintptr_t read_control = interface + 0xF4;

/// 3 MHz of the crystal's 12; and no more than 33 of the fastest clock that the chip may have, which 03h allows.
constexpr uint32_t divide_by_4 = 4;
constexpr uint32_t words_of_32_bits = 31u << 16;
constexpr uint32_t command_then_read = 3u << 8;
constexpr uint32_t read_command = 0x03u << 24;
constexpr uint32_t command_of_8_bits = 2u << 8;
constexpr uint32_t address_of_24_bits = 6u << 2; // in fours

constexpr uintptr_t vector_table_offset = 0xE000ED08;
constexpr uintptr_t vectors = 0x10000100;

} // namespace

// Alone in its section, and without a call or a constant elsewhere: it runs at another address than it is linked for.
extern "C" [[noreturn, gnu::used, gnu::section(".boot2_entry")]] void board_boot2()
{
    using parts::at;
    at(enable) = 0;
    at(clock_divider) = divide_by_4;
    at(control_0) = words_of_32_bits | command_then_read;
    at(control_1) = 0;
    at(read_control) = read_command | command_of_8_bits | address_of_24_bits;
    at(enable) = 1;
    at(vector_table_offset) = vectors;
    __asm__ volatile("msr msp, %0\n\tbx %1" ::"r"(at(vectors)), "r"(at(vectors + 4)));
    __builtin_unreachable();
}
