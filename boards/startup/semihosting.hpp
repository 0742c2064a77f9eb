// SPDX-License-Identifier: MIT
// Calls of an emulator or a debugger that serves semihosting: "Semihosting for AArch32
// and AArch64", and "RISC-V Semihosting". Without one, a call is a fault.
#pragma once

#include <stdint.h>

inline void semihosting_call(uint32_t number, const void *block)
{
#if defined(__riscv)
    register uint32_t operation __asm__("a0") = number;
    register const void *argument __asm__("a1") = block;
    // The two shifts do nothing. They tell that this breakpoint is a call. A call must not cross a page.
    __asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\tslli zero, zero, 0x1f\n\tebreak\n\t"
                     "srai zero, zero, 7\n\t.option pop"
                     : "+r"(operation)
                     : "r"(argument)
                     : "memory");
#else
    register uint32_t operation __asm__("r0") = number;
    register const void *argument __asm__("r1") = block;
#if __ARM_ARCH_PROFILE == 'M'
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
#elif defined(__thumb__)
    __asm__ volatile("svc 0xab" : "+r"(operation) : "r"(argument) : "memory", "lr");
#else
    __asm__ volatile("svc 0x123456" : "+r"(operation) : "r"(argument) : "memory", "lr");
#endif
#endif
}

/// For the fault handler of a Cortex-M: the call that ends the program is a fault if no debugger serves it.
inline volatile bool program_has_ended;

/// Ends the emulator or the debugged program. On a Cortex-M without a debugger, the core sleeps for ever.
[[noreturn]] inline void semihosting_exit(int code)
{
    program_has_ended = true;
    constexpr uint32_t sys_exit_extended = 0x20;
    constexpr uint32_t application_exit = 0x20026;
    const uint32_t block[2] = {application_exit, static_cast<uint32_t>(code)};
    semihosting_call(sys_exit_extended, block);
    for (;;) {
    }
}
