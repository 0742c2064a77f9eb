// SPDX-License-Identifier: MIT
#include "common.S"

// A loop whose count is a bit-field of a register that is unknown at first, as compilers write it at -Og: movs, bfi,
// movs, bfi, then 4 times add, ubfx, cmp, bne; and msr.
    program bit_field    // 21
    masks(KEEP)
    movs r1, #8
    bfi r0, r1, #16, #16
    movs r1, #0
    bfi r0, r1, #0, #16
1:
    add r0, r0, #0x10000
    ubfx r1, r0, #16, #16
    cmp r1, #12
    bne 1b
    unmasks(KEEP)
    returns

// A test for 0 without a branch, as compilers write it for the M0: movs, subs, sbcs, cbnz, msr.
    program carry    // 5
    masks(C)
    movs r0, #0
    subs r3, r0, #1
    sbcs r0, r3
    cbnz r0, 1f
    unmasks(C)
    returns
1:
    nop
    unmasks(C)
    returns

// A branch by the flags of a subtraction: movs, five times subs and bne, msr.
    program flags_counted    // 12
    masks(KEEP)
    movs r0, #5
1:
    subs r0, r0, #1
    bne 1b
    unmasks(KEEP)
    returns

// What a false condition skips counts, since the core fetches it: cmp, itte, movne, addne, moveq, msr. A
// conditional return, behind it, is two ways.
    program it_block    // 7
    masks(KEEP)
    cmp r0, #0
    itte ne
    movne r1, #1
    addne r1, r1
    moveq r1, #0
    unmasks(KEEP)
    cmp r0, #0
    it ne
    bxne lr
    mask
    cmp r1, #0
    ite eq
    moveq r0, #0
    movne r0, #1
    nops 2
    unmasks(KEEP)
    returns

// BASEPRI is raised under PRIMASK, which is restored first: msr, dsb, isb, msr, nop, msr.
    program two_masks    // 6
    movs r2, #64
    mrs r0, basepri
    masks(B)
    msr basepri_max, r2
    dsb
    isb
    unmasks(B)
    nop
    msr basepri, r0
    returns

    program unknown_instruction    // an instruction that is not known: svc 0
    mask
    svc #0
    unmask
    returns
