@ SPDX-License-Identifier: MIT
@ BASEPRI is raised under PRIMASK, which is restored first: msr, dsb, isb, msr, nop, msr.
@ expect planted: 6
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    movs r2, #64
    mrs r0, basepri
    mrs r1, primask
    cpsid i
    msr basepri_max, r2
    dsb
    isb
    msr primask, r1
    nop
    msr basepri, r0
    bx lr
