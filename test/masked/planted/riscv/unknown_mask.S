# SPDX-License-Identifier: MIT
# It restores what it did not read.
# expect planted: the mask that is restored is unknown
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
    lw a3, 0(a0)
    csrs mstatus, a3
    ret
