@ SPDX-License-Identifier: MIT
@ A callback between two masked sections: the second has three instructions. r4 survives the callback.
@ expect planted: 3
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, lr}
    mrs r4, primask
    cpsid i
    msr primask, r4
    blx r0
    cpsid i
    nop
    nop
    msr primask, r4
    pop {r4, pc}
