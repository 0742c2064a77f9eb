// SPDX-License-Identifier: MIT
#include "frame.S"

// A condition that is unknown and one that a constant decides, in one branch: 3 passes, 5 instructions each, 1 before.
    program and_zero    // 17
    csrrci a3, mstatus, 8
    li a1, 3
1:
    lw a2, 0(a0)
    addi a1, a1, -1
    sltu a4, zero, a1
    and a2, a2, a4
    bnez a2, 1b
    csrs mstatus, a3
    ret

// The longest way leads through a call: jal, addi, sw, beqz, three, lw, addi, ret, csrrs.
    program call    // 11
    addi sp, sp, -16
    sw ra, 12(sp)
    sw s0, 8(sp)
    csrrci s0, mstatus, 8
    jal 1f
    csrs mstatus, s0
    lw ra, 12(sp)
    lw s0, 8(sp)
    addi sp, sp, 16
    ret
1:
    addi sp, sp, -16
    sw s1, 12(sp)
    beqz a0, 2f
    lw a1, 0(a0)
    lw a1, 0(a1)
    lw a1, 0(a1)
2:
    lw s1, 12(sp)
    addi sp, sp, 16
    ret

// A callback while interrupts are masked.
    program indirect_call    // an indirect call while interrupts are masked
    addi sp, sp, -16
    sw ra, 12(sp)
    csrrci s0, mstatus, 8
    jalr a0
    csrs mstatus, s0
    lw ra, 12(sp)
    addi sp, sp, 16
    ret

// A masked loop that no constant ends.
    program loop    // a loop while interrupts are masked, and no constant ends it
    csrrci a3, mstatus, 8
1:
    lw a0, 0(a0)
    bnez a0, 1b
    csrs mstatus, a3
    ret

// A loop that a constant ends: andi, li, four times two, csrrs.
    program loop_counted    // 11
    csrrci a3, mstatus, 8
    andi a3, a3, 8
    li a4, 4
1:
    addi a4, a4, -1
    bnez a4, 1b
    csrs mstatus, a3
    ret

// A sleep ends a section and begins another: csrrci is before, lw and wfi; then lw, lw and csrrs.
    program sleep    // 3
    csrrci a3, mstatus, 8
    lw a4, 0(a0)
    wfi
    lw a4, 0(a0)
    lw a4, 0(a0)
    csrs mstatus, a3
    ret

// No rule says what this instruction does.
    program unknown_instruction    // an instruction that is not known: amoadd.w a0,a1,(a2)
    csrrci a3, mstatus, 8
    amoadd.w a0, a1, (a2)
    csrs mstatus, a3
    ret

// It restores what it did not read.
    program unknown_mask    // the mask that is restored is unknown
    csrrci a3, mstatus, 8
    lw a3, 0(a0)
    csrs mstatus, a3
    ret

// It unmasks also for a caller that has masked.
    program unmask_for_caller    // it returns with another mask than it was called with
    csrci mstatus, 8
    nop
    csrsi mstatus, 8
    ret

// One way returns without unmasking.
    program unmask_skipped    // it returns with another mask than it was called with
    csrrci a3, mstatus, 8
    beqz a0, 1f
    csrs mstatus, a3
1:
    ret
