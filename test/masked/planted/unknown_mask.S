@ SPDX-License-Identifier: MIT
@ What it restores was not read from a mask.
@ expect planted: the mask that is restored is unknown
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    cpsid i
    msr primask, r0
    bx lr
