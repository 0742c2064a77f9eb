@ SPDX-License-Identifier: MIT
@ What it restores lay in r3, and a callback may change r3.
@ expect planted: the mask that is restored is unknown
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, lr}
    mrs r3, primask
    cpsid i
    msr primask, r3
    blx r0
    cpsid i
    msr primask, r3
    pop {r4, pc}
