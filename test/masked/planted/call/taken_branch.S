@ SPDX-License-Identifier: MIT
@ A branch that is taken costs more: the way with fewer instructions takes longer on an M0.
@ expect planted: instructions 4, m0 7, m0plus 5
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    cmp r0, #0
    beq 1f
    nop
1:
    bx lr
