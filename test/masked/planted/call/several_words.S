@ SPDX-License-Identifier: MIT
@ LDM and STM take a cycle for each register, and one.
@ expect planted: instructions 3, m0 10, m0plus 9
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    ldm r0!, {r1, r2, r3}
    stm r0!, {r1, r2}
    bx lr
