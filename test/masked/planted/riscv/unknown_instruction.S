# SPDX-License-Identifier: MIT
# No rule says what this instruction does.
# expect planted: an instruction that is not known: amoadd.w a0,a1,(a2)
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
    amoadd.w a0, a1, (a2)
    csrs mstatus, a3
    ret
