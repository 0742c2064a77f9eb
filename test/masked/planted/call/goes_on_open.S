@ SPDX-License-Identifier: MIT
@ A call goes on where the mask opens. MRS and MSR wait for the pipeline.
@ expect planted: instructions 5, m0 13, m0plus 10
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    msr primask, r3
    movs r0, #0
    bx lr
