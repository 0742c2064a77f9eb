@ SPDX-License-Identifier: MIT
@ The longest way leads through a call: bl, push, four or two, pop, msr.
@ expect planted: 8
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, lr}
    mrs r4, primask
    cpsid i
    bl 1f
    msr primask, r4
    pop {r4, pc}
1:
    push {r5, lr}
    cbz r0, 2f
    ldr r1, [r0]
    ldr r1, [r1]
    ldr r1, [r1]
2:
    pop {r5, pc}
