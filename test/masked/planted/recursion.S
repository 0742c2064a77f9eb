@ SPDX-License-Identifier: MIT
@ expect planted: a recursion: more than 2048 bytes of stack
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    push {r4, lr}
    subs r0, r0, #1
    beq 1f
    bl planted
1:
    pop {r4, pc}
