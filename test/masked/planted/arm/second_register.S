@ SPDX-License-Identifier: MIT
@ objdump prints one register of LDRD. It also loads the next one, which has the saved mask.
@ expect planted: the mask that is restored is unknown
    .syntax unified
    .arm
    .global planted
    .type planted, %function
planted:
    mrs r3, cpsr
    cpsid i
    ldrd r2, r3, [r0]
    msr cpsr_c, r3
    bx lr
