@ SPDX-License-Identifier: MIT
@ Two branches by one value: no execution takes both long ways.
@ expect planted: 6
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    cbz r0, 1f
    nop
    nop
    nop
1:
    cbnz r0, 2f
    nop
    nop
2:
    msr primask, r3
    bx lr
