@ SPDX-License-Identifier: MIT
@ PUSH counts LR, and POP counts PC. PC costs three or two more.
@ expect planted: instructions 5, m0 20, m0plus 17
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, r5, lr}
    ldr r4, [r0]
    bl 1f
    pop {r4, r5, pc}
1:
    bx lr
