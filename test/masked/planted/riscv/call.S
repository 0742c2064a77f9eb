# SPDX-License-Identifier: MIT
# The longest way leads through a call: jal, addi, sw, beqz, three, lw, addi, ret, csrrs.
# expect planted: 11
    .global planted
    .type planted, @function
planted:
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
