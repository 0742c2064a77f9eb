@ SPDX-License-Identifier: MIT
@ expect planted: an instruction that is not known: svc 0
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    cpsid i
    svc #0
    cpsie i
    bx lr
