# SPDX-License-Identifier: MIT
# A loop that a constant ends: andi, li, four times two, csrrs.
# expect planted: 11
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
    andi a3, a3, 8
    li a4, 4
1:
    addi a4, a4, -1
    bnez a4, 1b
    csrs mstatus, a3
    ret
