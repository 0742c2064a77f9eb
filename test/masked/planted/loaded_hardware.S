@ SPDX-License-Identifier: MIT
@ A register of the hardware may change between two loads: ldr, ldr, cbz, 2 nops, ldr, cbnz, 2 nops, msr.
@ expect planted: 10
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    ldr r0, =0xE000E018
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
