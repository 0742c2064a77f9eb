// SPDX-License-Identifier: MIT
// The interrupt of a device that no board has: a pin, a radio, a line. An example
// plays that device, and raises this interrupt as the device would; its handler,
// IRQ31_Handler(), is the firmware's. Number 31 is used by none of these boards.
#ifndef EXAMPLES_PLAYED_INTERRUPT_HPP
#define EXAMPLES_PLAYED_INTERRUPT_HPP

#include <stdint.h>

namespace played_interrupt
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

/// It comes as soon as nothing of the same priority runs. All have one priority after reset, so that no handler
/// interrupts another.
inline void raise()
{
    nvic(0xE000E200) = 1u << number;
}

} // namespace played_interrupt

#endif
