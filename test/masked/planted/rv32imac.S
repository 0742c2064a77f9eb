// SPDX-License-Identifier: MIT
#include "common.S"

// A condition that is unknown and one that a constant decides, in one branch: 3 passes, 5 instructions each, 1 before.
    program and_zero    // 17
    masks(KEEP)
    li a1, 3
1:
    lw a2, 0(a0)
    addi a1, a1, -1
    sltu a4, zero, a1
    and a2, a2, a4
    bnez a2, 1b
    unmasks(KEEP)
    returns

// The bit of the mask, taken out of what csrrci has read: andi, li, four times two, csrrs.
    program mask_alone    // 11
    masks(KEEP)
    andi a3, a3, 8
    li a4, 4
1:
    addi a4, a4, -1
    bnez a4, 1b
    unmasks(KEEP)
    returns

// No rule says what this instruction does.
    program unknown_instruction    // an instruction that is not known: amoadd.w a0,a1,(a2)
    masks(KEEP)
    amoadd.w a0, a1, (a2)
    unmasks(KEEP)
    returns

// It restores what it did not read.
    program unknown_status    // the mask that is restored is unknown
    masks(KEEP)
    lw a3, 0(a0)
    unmasks(KEEP)
    returns
