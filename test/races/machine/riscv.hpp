// SPDX-License-Identifier: MIT
// The masks of a RISC-V core in machine mode: MIE of mstatus masks everything.
#ifndef TICKWHEEL_TEST_RACES_RISCV_HPP
#define TICKWHEEL_TEST_RACES_RISCV_HPP

#include "../../support/riscv_registers.hpp"

namespace races
{

constexpr uint32_t interrupts_on = 8;
constexpr uint32_t open = interrupts_on;
constexpr uint32_t locked = 0;

/// All of mstatus: machine mode, MPIE and MIE. The first state lets all interrupts in. A trap would set MPIE, but
/// none comes.
constexpr uint32_t mask_states[] = {0x1808, 0x1800, 0x1880};

inline uint32_t all_masks()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return status;
}

inline void set_all_masks(uint32_t status)
{
    __asm__ volatile("csrw mstatus, %0" ::"r"(status) : "memory");
}

inline uint32_t lock_mask()
{
    return all_masks() & interrupts_on;
}

inline void set_lock_mask(uint32_t mask)
{
    if (mask == open) {
        __asm__ volatile("csrsi mstatus, 8" ::: "memory");
    } else {
        __asm__ volatile("csrci mstatus, 8" ::: "memory");
    }
}

struct everything_masked {
    uint32_t state = lock_mask();
    everything_masked()
    {
        set_lock_mask(locked);
    }
    ~everything_masked()
    {
        set_lock_mask(state);
    }
    everything_masked(const everything_masked &) = delete;
    everything_masked &operator=(const everything_masked &) = delete;
};

} // namespace races

#endif
