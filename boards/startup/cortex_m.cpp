// SPDX-License-Identifier: MIT
#include "core.hpp"

#include "../parts/registers.hpp"
#include "../print.hpp"

void core::tick_start(uint32_t cycles)
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

void core::wait_for_interrupt()
{
    // DSB: all writes must reach their devices before the core sleeps (Arm's advice for WFI). ISB: several STM32 that
    // a debugger has set up to keep their clocks on execute what they had fetched behind the WFI wrongly.
    __asm__ volatile("dsb\n\twfi\n\tisb" ::: "memory");
}
