// SPDX-License-Identifier: MIT
/// @file
/// The port to a RISC-V core in machine mode, RV32. It is only the lock. It
/// masks by mstatus.MIE: every interrupt but an NMI, which must not call the wheel.
///
/// There is no lock above a threshold, as BASEPRI is on a Cortex-M. The threshold of a
/// PLIC masks neither the timer nor the software interrupt. A CLIC would have one.
#ifndef TICKWHEEL_PORT_HPP
#define TICKWHEEL_PORT_HPP

#include <stdint.h>

/// Csr instructions for an asm. GCC since 12 has them in the extension Zicsr, which few SDKs name in -march. clang
/// and the binutils of GCC before 11 know them without. Write `asm volatile inline`, or GCC takes each line for an
/// instruction when it decides what to inline.
#if defined(__riscv_zicsr) || defined(__clang__) || __GNUC__ < 11
#define TICKWHEEL_CSR(instructions) instructions
#else
#define TICKWHEEL_CSR(instructions) ".option push\n\t.option arch, +zicsr\n\t" instructions "\n\t.option pop"
#endif

namespace tickwheel
{

// Every asm is volatile and clobbers memory, so the compiler moves no access to the
// wheel across it. A write to mstatus is in force for the next instruction. A pending
// interrupt is taken right after the write that unmasks it, so interrupt_window()
// needs no barrier (RISC-V Privileged Architecture 1.12, 2.1 and 3.1.9).
/// The lock of the default wheel.
struct port_lock {
    /// MIE in mstatus.
    static constexpr uint32_t interrupts_on = 1u << 3;

    /// Masks. Returns what irq_restore() needs.
    [[gnu::always_inline]] static uint32_t irq_save()
    {
        uintptr_t state = 0;
        __asm__ volatile inline(TICKWHEEL_CSR("csrrci %0, mstatus, %1")
                                : "=r"(state)
                                : "i"(interrupts_on)
                                : "memory");
        return static_cast<uint32_t>(state) & interrupts_on;
    }

    /// Undoes the irq_save() that returned `state`. It sets MIE or nothing: the other fields of mstatus are not its.
    [[gnu::always_inline]] static void irq_restore(uint32_t state)
    {
        __asm__ volatile inline(TICKWHEEL_CSR("csrs mstatus, %0")::"r"(state) : "memory");
    }

    /// Masks as irq_save() does, for a caller that already has a state, so that it need not read the mask.
    [[gnu::always_inline]] static void irq_mask_all()
    {
        __asm__ volatile inline(TICKWHEEL_CSR("csrci mstatus, %0")::"i"(interrupts_on) : "memory");
    }

    /// Lets pending interrupts run, and masks again.
    [[gnu::always_inline]] static void interrupt_window(uint32_t state)
    {
        irq_restore(state);
        irq_mask_all();
    }
};

} // namespace tickwheel

#endif
