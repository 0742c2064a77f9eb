@ SPDX-License-Identifier: MIT
@ A test for 0 without a branch, as compilers write it for the M0: movs, subs, sbcs, cbnz, msr.
@ expect planted: 5
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r2, primask
    cpsid i
    movs r0, #0
    subs r3, r0, #1
    sbcs r0, r3
    cbnz r0, 1f
    msr primask, r2
    bx lr
1:
    nop
    msr primask, r2
    bx lr
