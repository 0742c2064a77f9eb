@ SPDX-License-Identifier: MIT
@ A masked loop of five passes: 1 + 5 * 2 + 1 instructions.
@ expect planted: 12
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    movs r0, #5
1:
    subs r0, r0, #1
    bne 1b
    msr primask, r3
    bx lr
