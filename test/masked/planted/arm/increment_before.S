@ SPDX-License-Identifier: MIT
@ STMIB stores one word above its base: stmib, mov, ldr, msr.
@ expect planted: 4
    .syntax unified
    .arm
    .global planted
    .type planted, %function
planted:
    sub sp, sp, #8
    mrs r2, cpsr
    cpsid i
    stmib sp, {r2}
    mov r2, #0
    ldr r2, [sp, #4]
    msr cpsr_c, r2
    add sp, sp, #8
    bx lr
