# SPDX-License-Identifier: MIT
# A condition that is unknown and one that a constant decides, in one branch: 3 passes, 5 instructions each, 1 before.
# expect planted: 17
    .global planted
    .type planted, @function
planted:
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
