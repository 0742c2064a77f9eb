@ SPDX-License-Identifier: MIT
@ One word is read twice, so no execution takes both long ways: ldr, cbz, 2 nops, ldr, cbnz, msr.
@ expect planted: 7
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    ldr r1, [r0, #4]
    cbz r1, 1f
    nop
    nop
1:
    ldr r2, [r0, #4]
    cbnz r2, 2f
    nop
    nop
2:
    msr primask, r3
    bx lr
