// SPDX-License-Identifier: MIT
// A device register by its address.
#ifndef BOARDS_PARTS_REGISTERS_HPP
#define BOARDS_PARTS_REGISTERS_HPP

#include <stdint.h>

namespace parts
{

// Inlined at -O0 as well: code that runs elsewhere than it is linked for, as a boot stage does, cannot call it.
[[gnu::always_inline]] inline volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

} // namespace parts

#endif
