@ SPDX-License-Identifier: MIT
@ A masked loop that no constant ends.
@ expect planted: a loop while interrupts are masked, and no constant ends it
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
1:
    ldr r0, [r0]
    cmp r0, #0
    bne 1b
    msr primask, r3
    bx lr
