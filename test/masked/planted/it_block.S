@ SPDX-License-Identifier: MIT
@ What a false condition skips counts, since the core fetches it: cmp, itte, movne, addne, moveq, msr. A
@ conditional return, behind it, is two ways.
@ expect planted: 7
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    cmp r0, #0
    itte ne
    movne r1, #1
    addne r1, r1
    moveq r1, #0
    msr primask, r3
    cmp r0, #0
    it ne
    bxne lr
    cpsid i
    cmp r1, #0
    ite eq
    moveq r0, #0
    movne r0, #1
    nop
    nop
    msr primask, r3
    bx lr
