// SPDX-License-Identifier: MIT
#include "frame.S"

// A call goes on where the mask opens. MRS and MSR wait for the pipeline.
    program goes_on_open    // instructions 5, m0 13, m0plus 10
    mrs r3, primask
    cpsid i
    msr primask, r3
    movs r0, #0
    bx lr

// PUSH counts LR, and POP counts PC. PC costs three or two more.
    program pop_with_pc    // instructions 5, m0 20, m0plus 17
    push {r4, r5, lr}
    ldr r4, [r0]
    bl 1f
    pop {r4, r5, pc}
1:
    bx lr

// LDM and STM take a cycle for each register, and one.
    program several_words    // instructions 3, m0 10, m0plus 9
    ldm r0!, {r1, r2, r3}
    stm r0!, {r1, r2}
    bx lr

// A branch that is taken costs more: the way with fewer instructions takes longer on an M0.
    program taken_branch    // instructions 4, m0 7, m0plus 5
    cmp r0, #0
    beq 1f
    nop
1:
    bx lr
