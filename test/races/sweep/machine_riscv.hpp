// SPDX-License-Identifier: MIT
// The machine of the sweep on RISC-V: mtime counts every 100 ns, and an instruction
// takes 128 ns, -icount shift=7.
#ifndef TICKWHEEL_TEST_SWEEP_MACHINE_RISCV_HPP
#define TICKWHEEL_TEST_SWEEP_MACHINE_RISCV_HPP

#include "../../support/target.hpp"

// Hints that every core executes as NOP, in four bytes. They tell the plugin where the program is.
#define SWEEP_HINT(number) ".option push\n\t.option norvc\n\taddi zero, zero, " number "\n\t.option pop\n\t"
#define SWEEP_OPERATION_BEGINS SWEEP_HINT("0x750")
#define SWEEP_OPERATION_ENDS SWEEP_HINT("0x760")
// Calls sweep_interrupt() with the address that was interrupted. board_trap() has saved the registers.
#define SWEEP_INTERRUPT                                                                                              \
    SWEEP_HINT("0x770")                                                                                              \
    "addi sp, sp, -16\n\tsw ra, 12(sp)\n\tcsrr a0, mepc\n\tjal sweep_interrupt\n\tlw ra, 12(sp)\n\t"                 \
    "addi sp, sp, 16\n\t" SWEEP_HINT("0x780") "ret"
// Calls sweep_note() with the timer and the return address.
#define SWEEP_NOTE                                                                                                   \
    "mv a1, ra\n\taddi sp, sp, -16\n\tsw ra, 12(sp)\n\tjal sweep_note\n\tlw ra, 12(sp)\n\taddi sp, sp, 16\n\t"       \
    "la a0, sweep_returned\n\tlw a1, 0(a0)\n\taddi a1, a1, 1\n\tsw a1, 0(a0)\nsweep_note_left:\tret"
#define SWEEP_HANDLER MTI_Handler

namespace sweep
{

/// Each run begins at the same phase between instructions and counts, or the same count would come at another
/// instruction. Both phases are the same every 25 instructions. QEMU's mcycle counts ns. The loop has 9 instructions.
[[gnu::always_inline]] inline void align_clocks()
{
    __asm__ volatile("1:\tcsrr t0, mcycleh\n\tcsrr t1, mcycle\n\tli t2, 96\n\tmul t0, t0, t2\n\tli t2, 100\n\t"
                     "remu t1, t1, t2\n\tadd t0, t0, t1\n\tremu t0, t0, t2\n\tbnez t0, 1b" ::
                         : "t0", "t1", "t2", "memory");
}

inline void timer_init(uint32_t /*priority*/)
{
    stop_alarm();
    enable_interrupt(timer_interrupt);
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    const uint32_t now = at(mtime);
    const uint32_t upper = at(mtime + 4);
    at(mtimecmp) = now + count;
    at(mtimecmp + 4) = upper + (now + count < now ? 1 : 0);
}
inline void timer_stop()
{
    stop_alarm();
}

constexpr uint32_t usual_priority = 0;

/// Whether the instruction takes the lock: CSRRCI of mstatus.
inline bool is_masking(const uint16_t *code)
{
    return (code[0] & 0xf07f) == 0x7073 && code[1] == 0x3004;
}
inline void mask_interrupts()
{
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
}
inline bool interrupts_masked()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return (status & 8) == 0;
}
inline void unmask_interrupts()
{
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

} // namespace sweep

#endif
