// SPDX-License-Identifier: MIT
// The second boot stage of the RP2040 ("RP2040 Datasheet", 2.8.1, 4.10). The boot ROM
// copies the first 256 bytes of the flash to RAM, checks their checksum (checksum.py)
// and runs them there. They set up the serial interface, so that the core can read
// the flash as memory. They use read command 03h, one bit at a time: it is slow, but
// every serial flash has it and it needs no set-up. NOT RUN ON HARDWARE.
#include "../parts/registers.hpp"

namespace
{

constexpr uintptr_t interface = 0x18000000;
constexpr uintptr_t control_0 = interface + 0x00;
constexpr uintptr_t control_1 = interface + 0x04;
constexpr uintptr_t enable = interface + 0x08;
constexpr uintptr_t clock_divider = interface + 0x14;
constexpr uintptr_t read_control = interface + 0xF4;

/// 3 MHz from the 12 MHz crystal. At the chip's fastest clock it is 33 MHz, which command 03h allows.
constexpr uint32_t divide_by_4 = 4;
constexpr uint32_t words_of_32_bits = 31u << 16;
constexpr uint32_t command_then_read = 3u << 8;
constexpr uint32_t read_command = 0x03u << 24;
constexpr uint32_t command_of_8_bits = 2u << 8;
constexpr uint32_t address_of_24_bits = 6u << 2; // in units of 4 bits

constexpr uintptr_t vector_table_offset = 0xE000ED08;
constexpr uintptr_t vectors = 0x10000100;

} // namespace

// It runs at another address than the linker gave it: it may call no function and read no constant from memory.
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
