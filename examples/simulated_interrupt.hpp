// SPDX-License-Identifier: MIT
// The interrupt of a simulated device: a pin or a radio. The example raises this
// interrupt as the real device would. Its handler is IRQ31_Handler(). No board here
// uses number 31.
#ifndef EXAMPLES_SIMULATED_INTERRUPT_HPP
#define EXAMPLES_SIMULATED_INTERRUPT_HPP

#include <stdint.h>

namespace simulated_interrupt
{

constexpr unsigned number = 31;

inline volatile uint32_t &nvic(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

inline void enable()
{
    nvic(0xE000E100) = 1u << number;
}

/// The handler runs as soon as no other handler runs: after reset all have the same priority.
inline void raise()
{
    nvic(0xE000E200) = 1u << number;
}

} // namespace simulated_interrupt

#endif
