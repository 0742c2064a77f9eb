// SPDX-License-Identifier: MIT
#include "frame.S"

// A loop whose count is a bit-field of a register that is unknown at first, as compilers write it at -Og: movs, bfi,
// movs, bfi, then 4 times add, ubfx, cmp, bne; and msr.
    program bit_field    // 21
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

// The longest way leads through a call: bl, push, four or two, pop, msr.
    program call    // 8
    push {r4, lr}
    mrs r4, primask
    cpsid i
    bl 1f
    msr primask, r4
    pop {r4, pc}
1:
    push {r5, lr}
    cbz r0, 2f
    ldr r1, [r0]
    ldr r1, [r1]
    ldr r1, [r1]
2:
    pop {r5, pc}

// A test for 0 without a branch, as compilers write it for the M0: movs, subs, sbcs, cbnz, msr.
    program carry    // 5
    mrs r2, primask
    cpsid i
    movs r0, #0
    subs r3, r0, #1
    sbcs r0, r3
    cbnz r0, 1f
    msr primask, r2
    bx lr
1:
    nop
    msr primask, r2
    bx lr

// Two branches by one value: no execution takes both long ways.
    program correlated    // 6
    mrs r3, primask
    cpsid i
    cbz r0, 1f
    nop
    nop
    nop
1:
    cbnz r0, 2f
    nop
    nop
2:
    msr primask, r3
    bx lr

// A callback with interrupts masked.
    program indirect_call    // an indirect call while interrupts are masked
    push {r4, lr}
    mrs r4, primask
    cpsid i
    blx r0
    msr primask, r4
    pop {r4, pc}

// A callback between two masked sections: the second has three instructions. r4 survives the callback.
    program indirect_call_open    // 3
    push {r4, lr}
    mrs r4, primask
    cpsid i
    msr primask, r4
    blx r0
    cpsid i
    nop
    nop
    msr primask, r4
    pop {r4, pc}

// An interrupt may write to a local variable that the program waits for, and to one that was written in a masked
// section before. The second section has ldr, cbz, nop, nop, msr.
    program interrupt_writes_local    // 5
    sub sp, #8
    movs r0, #0
    str r0, [sp]
1:
    ldr r0, [sp]
    cmp r0, #0
    beq 1b
    mrs r3, primask
    cpsid i
    movs r0, #0
    str r0, [sp]
    msr primask, r3
    cpsid i
    ldr r0, [sp]
    cbz r0, 2f
    nop
    nop
2:
    msr primask, r3
    add sp, #8
    bx lr

// What a false condition skips counts, since the core fetches it: cmp, itte, movne, addne, moveq, msr. A
// conditional return, behind it, is two ways.
    program it_block    // 7
    mrs r3, primask
    cpsid i
    cmp r0, #0
    itte ne
    movne r1, #1
    addne r1, r1
    moveq r1, #0
    msr primask, r3
    cmp r0, #0
    it ne
    bxne lr
    cpsid i
    cmp r1, #0
    ite eq
    moveq r0, #0
    movne r0, #1
    nop
    nop
    msr primask, r3
    bx lr

// A masked loop that no constant ends.
    program loop    // a loop while interrupts are masked, and no constant ends it
    mrs r3, primask
    cpsid i
1:
    ldr r0, [r0]
    cmp r0, #0
    bne 1b
    msr primask, r3
    bx lr

// A masked loop of five passes: 1 + 5 * 2 + 1 instructions.
    program loop_counted    // 12
    mrs r3, primask
    cpsid i
    movs r0, #5
1:
    subs r0, r0, #1
    bne 1b
    msr primask, r3
    bx lr

// The same, and a store through an unknown pointer may be to the counter.
    program loop_counted_on_stack    // a loop while interrupts are masked, and no constant ends it
    sub sp, #8
    mrs r3, primask
    cpsid i
    movs r0, #5
1:
    str r0, [sp]
    str r1, [r2]
    ldr r0, [sp]
    subs r0, r0, #1
    bne 1b
    msr primask, r3
    add sp, #8
    bx lr

// A masked loop without a branch out of it.
    program loop_forever    // a masked section without an end
    cpsid i
1:
    b 1b

// The inner restore does not unmask: mrs, cpsid, nop, msr, nop, msr.
    program nested    // 6
    mrs r2, primask
    cpsid i
    mrs r3, primask
    cpsid i
    nop
    msr primask, r3
    nop
    msr primask, r2
    bx lr

// A weak function, a static one that a table names, and one that nothing names: each may be called from outside.
// `unlock` is followed from its caller, which hands it the mask. `unlock_of_table` may also be called by the table.
    program calls_static    // 6
    push {r4, lr}
    mrs r0, primask
    cpsid i
    nop
    bl unlock
    mrs r0, primask
    cpsid i
    nop
    nop
    nop
    bl unlock_of_table
    pop {r4, pc}
    function unlock
    msr primask, r0
    bx lr
    function unlock_of_table    // the mask that is restored is unknown
    nop
    msr primask, r0
    bx lr
    .weak replaceable
    function replaceable    // 3
    mrs r0, primask
    cpsid i
    nop
    nop
    msr primask, r0
    bx lr
    function handler    // 4
    mrs r0, primask
    cpsid i
    nop
    nop
    nop
    msr primask, r0
    bx lr
    function unreferenced    // 5
    mrs r0, primask
    cpsid i
    nop
    nop
    nop
    nop
    msr primask, r0
    bx lr
    .data
    .word handler
    .word unlock_of_table
    .text

    program recursion    // a recursion: more than 2048 bytes of stack
    push {r4, lr}
    subs r0, r0, #1
    beq 1f
    bl recursion
1:
    pop {r4, pc}

// A register of the hardware may change between two loads, whatever pointer leads to it: ldr, cbz, ldr, cbnz, 2
// nops, msr.
    program register_read_twice    // 7
    mrs r3, primask
    cpsid i
    ldr r1, [r0, #4]
    cbz r1, 1f
    ldr r2, [r0, #4]
    cbnz r2, 1f
    nop
    nop
1:
    msr primask, r3
    bx lr

// What it restores lay in r3, and a callback may change r3.
    program scratch_mask    // the mask that is restored is unknown
    push {r4, lr}
    mrs r3, primask
    cpsid i
    msr primask, r3
    blx r0
    cpsid i
    msr primask, r3
    pop {r4, pc}

// WFI ends one section of three instructions and begins another of four.
    program sleep    // 4
    mrs r3, primask
    cpsid i
    nop
    dsb
    wfi
    nop
    nop
    nop
    msr primask, r3
    bx lr

// BASEPRI is raised under PRIMASK, which is restored first: msr, dsb, isb, msr, nop, msr.
    program two_masks    // 6
    movs r2, #64
    mrs r0, basepri
    mrs r1, primask
    cpsid i
    msr basepri_max, r2
    dsb
    isb
    msr primask, r1
    nop
    msr basepri, r0
    bx lr

    program unknown_instruction    // an instruction that is not known: svc 0
    cpsid i
    svc #0
    cpsie i
    bx lr

// What it restores was not read from a mask.
    program unknown_mask    // the mask that is restored is unknown
    cpsid i
    msr primask, r0
    bx lr

// Right when it is called unmasked. Called masked, it returns unmasked.
    program unmask_for_caller    // it returns with another mask than it was called with
    cpsid i
    nop
    cpsie i
    bx lr

// One of two ways leaves without unmasking.
    program unmask_skipped    // it returns with another mask than it was called with
    mrs r3, primask
    cpsid i
    cbz r0, 1f
    msr primask, r3
1:
    bx lr
