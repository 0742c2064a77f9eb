// SPDX-License-Identifier: MIT
#include "cortex_m.hpp"

#include "../parts/registers.hpp"
#include "../print.hpp"

void cortex_m::tick_start(uint32_t cycles)
{
    using parts::at;
    constexpr uintptr_t control = 0xE000E010;
    constexpr uintptr_t reload = 0xE000E014;
    constexpr uintptr_t current = 0xE000E018;
    if (cycles < 2 || cycles > 1u << 24) {
        print("\nfault: a tick does not fit in SysTick's 24 bits\n");
        board::exit(1);
    }
    at(control) = 0;
    at(reload) = cycles - 1;
    at(current) = 0;
    // Select the processor clock first: QEMU before 7 accepts the clock only while SysTick is stopped.
    at(control) = 4;
    at(control) = 7;
}

void cortex_m::wait_for_interrupt()
{
    // DSB: all writes must reach their devices before the core sleeps (Arm's advice for WFI).
    __asm__ volatile("dsb\n\twfi" ::: "memory");
}

void cortex_m::semihosting_exit(int code)
{
    constexpr uint32_t sys_exit_extended = 0x20;
    constexpr uint32_t application_exit = 0x20026;
    const uint32_t block[2] = {application_exit, static_cast<uint32_t>(code)};
    register uint32_t operation __asm__("r0") = sys_exit_extended;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
    for (;;) {
    }
}
