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

// No rule says what this instruction does.
    program unknown_instruction    // an instruction that is not known: amoadd.w a0,a1,(a2)
    masks(KEEP)
    amoadd.w a0, a1, (a2)
    unmasks(KEEP)
    returns
