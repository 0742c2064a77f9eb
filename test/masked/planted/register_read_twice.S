@ SPDX-License-Identifier: MIT
@ A register of the hardware may change between two loads, whatever pointer leads to it: ldr, cbz, ldr, cbnz, 8 nops,
@ msr.
@ expect planted: 13
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
    ldr r2, [r0, #4]
    cbnz r2, 1f
    nop
    nop
    nop
    nop
    nop
    nop
    nop
    nop
1:
    msr primask, r3
    bx lr
