// SPDX-License-Identifier: MIT
// The interrupt of a simulated device: a pin or a radio. The example raises this
// interrupt as the real device would. Its handler is IRQ31_Handler(). No board here
// uses number 31. A RISC-V core has a software interrupt for that.
// So have the controllers of the Integrator/CP and of a Cortex-A9.
#ifndef EXAMPLES_SIMULATED_INTERRUPT_HPP
#define EXAMPLES_SIMULATED_INTERRUPT_HPP

#include <stdint.h>

namespace simulated_interrupt
{

inline volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

#if defined(__riscv)

constexpr uintptr_t software_interrupt = 0x2000000;

inline void enable()
{
    __asm__ volatile("csrsi mie, 8" ::: "memory");
}

inline void raise()
{
    at(software_interrupt) = 1;
}

#elif __ARM_ARCH_PROFILE == 'R'

constexpr uint32_t soft_interrupt = 1;

inline void enable()
{
    at(0x14000008) = soft_interrupt;
}

inline void raise()
{
    at(0x14000010) = soft_interrupt;
}

inline void end()
{
    at(0x14000014) = soft_interrupt;
}

#elif __ARM_ARCH_PROFILE == 'A'

inline void enable()
{
}

/// Interrupt 1, to this core.
inline void raise()
{
    at(0x1E001F00) = 2u << 24 | 1;
}

inline void end()
{
}

#else

constexpr unsigned number = 31;

inline void enable()
{
    at(0xE000E100) = 1u << number;
}

/// The handler runs as soon as no other handler runs: after reset all have the same priority.
inline void raise()
{
    at(0xE000E200) = 1u << number;
}

#endif

} // namespace simulated_interrupt

#if defined(__riscv)
extern "C" void IRQ31_Handler();
extern "C" void MSI_Handler()
{
    simulated_interrupt::at(simulated_interrupt::software_interrupt) = 0;
    IRQ31_Handler();
}
#elif __ARM_ARCH_PROFILE != 'M'
extern "C" void IRQ31_Handler();
extern "C" void IRQ_Handler(uint32_t /*number*/)
{
    simulated_interrupt::end();
    IRQ31_Handler();
}
#endif

#endif
