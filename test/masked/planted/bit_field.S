@ SPDX-License-Identifier: MIT
@ A loop whose count is a bit-field of a register that is unknown at first, as compilers write it at -Og: movs, bfi,
@ movs, bfi, then 4 times add, ubfx, cmp, bne; and msr.
@ expect planted: 21
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    mrs r3, primask
    cpsid i
    movs r1, #8
    bfi r0, r1, #16, #16
    movs r1, #0
    bfi r0, r1, #0, #16
1:
    add r0, r0, #0x10000
    ubfx r1, r0, #16, #16
    cmp r1, #12
    bne 1b
    msr primask, r3
    bx lr
