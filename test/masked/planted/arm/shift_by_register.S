@ SPDX-License-Identifier: MIT
@ The shift makes r3 unknown, so the walk follows both ways. The longer: mov, mov, subs, beq, nop, nop, msr.
@ expect planted: 7
    .syntax unified
    .arm
    .global planted
    .type planted, %function
planted:
    mrs r2, cpsr
    cpsid i
    mov r3, #1
    mov r1, #1
    subs r3, r1, r3, lsl r0
    beq 1f
    nop
    nop
1:
    msr cpsr_c, r2
    bx lr
