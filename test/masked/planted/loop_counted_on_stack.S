@ SPDX-License-Identifier: MIT
@ The same, and a store through an unknown pointer may be to the counter.
@ expect planted: a loop while interrupts are masked, and no constant ends it
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    sub sp, #8
    mrs r3, primask
    cpsid i
    movs r0, #5
1:
    str r0, [sp]
    str r1, [r2]
    ldr r0, [sp]
    subs r0, r0, #1
    bne 1b
    msr primask, r3
    add sp, #8
    bx lr
