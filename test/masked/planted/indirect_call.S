@ SPDX-License-Identifier: MIT
@ A callback with interrupts masked.
@ expect planted: an indirect call while interrupts are masked
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, lr}
    mrs r4, primask
    cpsid i
    blx r0
    msr primask, r4
    pop {r4, pc}
