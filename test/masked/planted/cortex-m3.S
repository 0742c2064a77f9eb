// SPDX-License-Identifier: MIT
#include "common.S"

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
