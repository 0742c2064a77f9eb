// SPDX-License-Identifier: MIT
#include "frame.S"

// STMIB stores one word above its base: stmib, mov, ldr, msr.
    program increment_before    // 4
    sub sp, sp, #8
    mrs r2, cpsr
    cpsid i
    stmib sp, {r2}
    mov r2, #0
    ldr r2, [sp, #4]
    msr cpsr_c, r2
    add sp, sp, #8
    bx lr

// objdump prints one register of LDRD. It also loads the next one, which has the saved mask.
    program second_register    // the mask that is restored is unknown
    mrs r3, cpsr
    cpsid i
    ldrd r2, r3, [r0]
    msr cpsr_c, r3
    bx lr

// The shift makes r3 unknown, so the walk follows both ways. The longer: mov, mov, subs, beq, nop, nop, msr.
    program shift_by_register    // 7
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
