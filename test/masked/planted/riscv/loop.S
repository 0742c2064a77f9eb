# SPDX-License-Identifier: MIT
# A masked loop that no constant ends.
# expect planted: a loop while interrupts are masked, and no constant ends it
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
1:
    lw a0, 0(a0)
    bnez a0, 1b
    csrs mstatus, a3
    ret
