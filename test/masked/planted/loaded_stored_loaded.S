@ SPDX-License-Identifier: MIT
@ The same with a store between: it may be to that word. One more instruction, and both ways: ldr, cbz, 2 nops,
@ str, ldr, cbnz, 2 nops, msr.
@ expect planted: 10
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
    str r3, [r2]
    ldr r2, [r0, #4]
    cbnz r2, 2f
    nop
    nop
2:
    msr primask, r3
    bx lr
