# SPDX-License-Identifier: MIT
# A sleep ends a section and begins another: csrrci is before, lw and wfi; then lw, lw and csrrs.
# expect planted: 3
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
    lw a4, 0(a0)
    wfi
    lw a4, 0(a0)
    lw a4, 0(a0)
    csrs mstatus, a3
    ret
