// SPDX-License-Identifier: MIT
/// @file
/// The port to every Cortex-R and Cortex-A in AArch32 state, Armv7 and up, Arm or
/// Thumb code. It is only the lock. It masks IRQ by the I bit of CPSR. FIQ stays on,
/// so a FIQ handler is never delayed, and must not call the wheel.
///
/// irq_restore() writes the control field of CPSR: I, F and the mode. A callback must
/// return with the F bit and the mode that it was called with.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE == 'M'
#error "port/cortex_ar is for Cortex-R and Cortex-A: a Cortex-M takes port/cortex_m"
#endif

namespace tickwheel
{

// Every asm is volatile and clobbers memory, so the compiler moves no access to the
// wheel across it. A write to CPSR is in force for the next instruction. After one
// that unmasks, a pending interrupt is sure to run only after an ISB (Armv7-AR ARM,
// A3.8.3 and B1.3.3).
/// The lock of the default wheel.
struct port_lock {
    /// Masks. Returns what irq_restore() needs.
    [[gnu::always_inline]] static uint32_t irq_save()
    {
        if (TICKWHEEL_DEBUG) {
            check_caller();
        }
        uint32_t state = 0;
        __asm__ volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(state)::"memory");
        return state;
    }

    /// Undoes the irq_save() that returned `state`.
    [[gnu::always_inline]] static void irq_restore(uint32_t state)
    {
        __asm__ volatile("msr cpsr_c, %0" ::"r"(state) : "memory");
    }

    /// Masks as irq_save() does, for a caller that already has a state, so that it need not read the mask.
    [[gnu::always_inline]] static void irq_mask_all()
    {
        __asm__ volatile("cpsid i" ::: "memory");
    }

    /// Lets pending interrupts run, and masks again.
    [[gnu::always_inline]] static void interrupt_window(uint32_t state)
    {
        irq_restore(state);
        __asm__ volatile("isb" ::: "memory");
        irq_mask_all();
    }

    /// Debug builds report a caller that the lock does not mask.
    [[gnu::noinline]] static void check_caller()
    {
        uint32_t mode = 0;
        __asm__ volatile("mrs %0, cpsr" : "=r"(mode));
        constexpr uint32_t fiq = 0x11;
        if ((mode & 0x1F) == fiq) {
            tickwheel_bug("called from FIQ, which the lock does not mask", nullptr);
        }
    }
};

} // namespace tickwheel

#endif
