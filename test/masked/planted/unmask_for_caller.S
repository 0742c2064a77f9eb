@ SPDX-License-Identifier: MIT
@ Right when it is called unmasked. Called masked, it returns unmasked.
@ expect planted: it returns with another mask than it was called with
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    cpsid i
    nop
    cpsie i
    bx lr
