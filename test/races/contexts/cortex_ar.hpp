// SPDX-License-Identifier: MIT
// The contexts test on a Cortex-R or Cortex-A: a soft interrupt of the Integrator/CP is an IRQ, or an FIQ that the
// lock does not mask.
#pragma once

#include "../../../boards/parts/registers.hpp"
#include "../../../boards/startup/cortex_ar/cortex_ar.hpp"

using parts::at;

/// I and F of CPSR, and Supervisor mode.
constexpr uint32_t mask_states[][2] = {{0x13, 0x93}, {0x93, 0x93}, {0x53, 0xD3}, {0xD3, 0xD3}};

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

enum : uintptr_t {
    irq_enable = 0x14000008,
    irq_disable = 0x1400000C,
    soft_set = 0x14000010,
    soft_clear = 0x14000014,
    fiq_enable = 0x14000028,
    fiq_disable = 0x1400002C
};
constexpr uint32_t soft_interrupt = 1u << 0;

/// The soft interrupt runs the wheel. Otherwise it is one of `sources`.
inline volatile bool runs_wheel;

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

inline void pend_softirq()
{
    runs_wheel = true;
    raise_irq();
}

struct source {
    void (*raise)();
    bool masked;
};
constexpr source sources[] = {{raise_irq, true}, {raise_fiq, false}};

extern "C" void IRQ_Handler(uint32_t /*number*/)
{
    at(soft_clear) = soft_interrupt;
    if (runs_wheel) {
        runs_wheel = false;
        __asm__ volatile("cpsie i" ::: "memory");
        (void)tickwheel_run();
        __asm__ volatile("cpsid i" ::: "memory");
    } else {
        unmasked_interrupt();
    }
}

extern "C" void FIQ_Handler()
{
    at(soft_clear) = soft_interrupt;
    unmasked_interrupt();
}
