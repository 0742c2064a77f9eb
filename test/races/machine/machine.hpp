// SPDX-License-Identifier: MIT
// What the tests for races need of a core beside its registers: the mask that the wheel's lock uses, all masks that a
// call must leave alone, and a mask of everything.
#ifndef TICKWHEEL_TEST_RACES_MACHINE_HPP
#define TICKWHEEL_TEST_RACES_MACHINE_HPP

#if defined(__riscv)
#include "riscv.hpp"
#elif __ARM_ARCH_PROFILE == 'M'
#include "cortex_m.hpp"
#else
#include "cortex_ar.hpp"
#endif

namespace races
{

/// Whether the lock's mask keeps the wheel's interrupts out.
inline bool masked_now()
{
    return lock_mask() != open;
}

inline void set_mask(bool masked)
{
    set_lock_mask(masked ? locked : open);
}

} // namespace races

#endif
