# SPDX-License-Identifier: MIT
# It unmasks also for a caller that has masked.
# expect planted: it returns with another mask than it was called with
    .global planted
    .type planted, @function
planted:
    csrci mstatus, 8
    nop
    csrsi mstatus, 8
    ret
