@ SPDX-License-Identifier: MIT
@ An interrupt may write to a local variable that the program waits for, and to one that was written in a masked
@ section before. The second section has ldr, cbz, nop, nop, msr.
@ expect planted: 5
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    sub sp, #8
    movs r0, #0
    str r0, [sp]
1:
    ldr r0, [sp]
    cmp r0, #0
    beq 1b
    mrs r3, primask
    cpsid i
    movs r0, #0
    str r0, [sp]
    msr primask, r3
    cpsid i
    ldr r0, [sp]
    cbz r0, 2f
    nop
    nop
2:
    msr primask, r3
    add sp, #8
    bx lr
