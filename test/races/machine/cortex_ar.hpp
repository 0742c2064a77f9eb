// SPDX-License-Identifier: MIT
// The masks of a Cortex-R or Cortex-A, which are I and F of CPSR, and the interrupt controllers of the two boards:
// software raises an IRQ, and an FIQ that the lock does not mask.
#ifndef TICKWHEEL_TEST_RACES_CORTEX_AR_HPP
#define TICKWHEEL_TEST_RACES_CORTEX_AR_HPP

#include "../../../boards/parts/registers.hpp"
#include "../../../boards/startup/cortex_ar/cortex_ar.hpp"

using parts::at;

inline void barrier()
{
    __asm__ volatile("" ::: "memory");
}

namespace races
{

constexpr uint32_t irq_masked = 1u << 7;
constexpr uint32_t open = 0;
constexpr uint32_t locked = irq_masked;

/// I and F, and Supervisor mode. The first state lets all interrupts in.
constexpr uint32_t mask_states[] = {0x13, 0x93, 0x53, 0xD3};

inline uint32_t all_masks()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr)::"memory");
    return cpsr & 0xDFu;
}

inline void set_all_masks(uint32_t control)
{
    __asm__ volatile("msr cpsr_c, %0\n\tisb" ::"r"(control) : "memory");
}

inline uint32_t lock_mask()
{
    return all_masks() & irq_masked;
}

inline void set_lock_mask(uint32_t mask)
{
    set_all_masks((all_masks() & ~irq_masked) | mask);
}

struct everything_masked {
    uint32_t state = all_masks();
    everything_masked()
    {
        __asm__ volatile("cpsid if" ::: "memory");
    }
    ~everything_masked()
    {
        set_all_masks(state);
    }
    everything_masked(const everything_masked &) = delete;
    everything_masked &operator=(const everything_masked &) = delete;
};

#if __ARM_ARCH_PROFILE == 'R'

/// The Integrator/CP: bit 0 of its controller is a soft interrupt.
enum : uintptr_t {
    irq_enable = 0x14000008,
    irq_disable = 0x1400000C,
    soft_set = 0x14000010,
    soft_clear = 0x14000014,
    fiq_enable = 0x14000028,
    fiq_disable = 0x1400002C
};
constexpr uint32_t soft_interrupt = 1u << 0;

inline void raise_irq()
{
    at(irq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
}

inline void raise_fiq()
{
    at(irq_disable) = soft_interrupt;
    at(fiq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
    at(fiq_disable) = soft_interrupt;
}

inline void end_irq()
{
    at(soft_clear) = soft_interrupt;
}

inline void end_fiq()
{
    end_irq();
}

#else

/// The Versatile Express, whose controller has a priority for each interrupt.
enum : uintptr_t {
    controller_enable = 0x1E000100,
    acknowledge = 0x1E00010C,
    end_of_interrupt = 0x1E000110,
    running_priority = 0x1E000114,
    distributor_enable = 0x1E001000,
    group = 0x1E001080,
    enable_set = 0x1E001100,
    priorities = 0x1E001400,
    software = 0x1E001F00
};

/// Software raises interrupts 0 to 15.
inline void raise_software(uint32_t number)
{
    constexpr uint32_t to_this_core = 2u << 24;
    at(software) = to_this_core | number;
}

/// The controller signals those of group 0 as FIQ if it is told to. Then all others belong in group 1.
inline void make_fiq(uint32_t number)
{
    constexpr uint32_t both_groups = 3;
    constexpr uint32_t both_groups_and_fiq = 0xF;
    at(group) = ~(1u << number);
    at(distributor_enable) = both_groups;
    at(controller_enable) = both_groups_and_fiq;
}

/// The tick keeps priority 0, the highest.
inline void raise_irq()
{
    at(priorities) = 0x0000F000;
    raise_software(1);
}

inline void raise_fiq()
{
    constexpr uint32_t number = 2;
    make_fiq(number);
    raise_software(number);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    at(controller_enable) = 1;
    at(distributor_enable) = 1;
    at(group) = 0;
}

inline void end_irq()
{
}

inline void end_fiq()
{
    at(end_of_interrupt) = at(acknowledge);
}

#endif

} // namespace races

#endif
