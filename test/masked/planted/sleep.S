@ SPDX-License-Identifier: MIT
@ WFI ends one section of three instructions and begins another of four.
@ expect planted: 4
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    nop
    dsb
    wfi
    nop
    nop
    nop
    msr primask, r3
    bx lr
