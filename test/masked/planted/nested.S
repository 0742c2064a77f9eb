@ SPDX-License-Identifier: MIT
@ The inner restore does not unmask: mrs, cpsid, nop, msr, nop, msr.
@ expect planted: 6
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r2, primask
    cpsid i
    mrs r3, primask
    cpsid i
    nop
    msr primask, r3
    nop
    msr primask, r2
    bx lr
