# SPDX-License-Identifier: MIT
# One way returns without unmasking.
# expect planted: it returns with another mask than it was called with
    .global planted
    .type planted, @function
planted:
    csrrci a3, mstatus, 8
    beqz a0, 1f
    csrs mstatus, a3
1:
    ret
