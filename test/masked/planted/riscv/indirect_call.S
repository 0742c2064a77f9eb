# SPDX-License-Identifier: MIT
# A callback while interrupts are masked.
# expect planted: an indirect call while interrupts are masked
    .global planted
    .type planted, @function
planted:
    addi sp, sp, -16
    sw ra, 12(sp)
    csrrci s0, mstatus, 8
    jalr a0
    csrs mstatus, s0
    lw ra, 12(sp)
    addi sp, sp, 16
    ret
