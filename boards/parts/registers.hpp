// SPDX-License-Identifier: MIT
// Device registers by address.
#pragma once

#include <stdint.h>

namespace parts
{

// Inlined even at -O0: a boot stage runs at another address than it was linked for, so it cannot call a function.
[[gnu::always_inline]] inline volatile uint32_t &at(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

} // namespace parts
