// SPDX-License-Identifier: MIT
// The masks of a Cortex-M.
#ifndef TICKWHEEL_TEST_RACES_CORTEX_M_HPP
#define TICKWHEEL_TEST_RACES_CORTEX_M_HPP

#include "../../support/core_registers.hpp"

namespace races
{

#if defined(TICKWHEEL_LOCK_BASEPRI)
#define RACES_LOCK_MASK "basepri"
constexpr bool basepri = true;
constexpr uint32_t locked = TICKWHEEL_LOCK_BASEPRI;
#else
#define RACES_LOCK_MASK "primask"
constexpr bool basepri = false;
constexpr uint32_t locked = 1;
#endif
constexpr uint32_t open = 0;

inline uint32_t lock_mask()
{
    uint32_t mask = 0;
    __asm__ volatile("mrs %0, " RACES_LOCK_MASK : "=r"(mask)::"memory");
    return mask;
}

inline void set_lock_mask(uint32_t mask)
{
    __asm__ volatile("msr " RACES_LOCK_MASK ", %0\n\tdsb\n\tisb" ::"r"(mask) : "memory");
}

#if !defined(__ARM_ARCH_6M__)
/// PRIMASK in bit 8, and BASEPRI. The first state lets all interrupts in.
constexpr uint32_t mask_states[] = {0, 0x100, 0x20, 0xE0, 0x120};

inline uint32_t all_masks()
{
    uint32_t primask = 0;
    uint32_t priority = 0;
    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(primask), "=r"(priority));
    return primask << 8 | priority;
}

inline void set_all_masks(uint32_t to)
{
    __asm__ volatile("msr basepri, %1\n\tmsr primask, %0\n\tisb" ::"r"(to >> 8), "r"(to & 0xFF) : "memory");
}
#endif

/// Keeps out what a lock by BASEPRI lets in, too.
using everything_masked = ::masked;

} // namespace races

#endif
