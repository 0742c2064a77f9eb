@ SPDX-License-Identifier: MIT
@ One of two ways leaves without unmasking.
@ expect planted: it returns with another mask than it was called with
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    cbz r0, 1f
    msr primask, r3
1:
    bx lr
