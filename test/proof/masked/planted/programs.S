// SPDX-License-Identifier: MIT
// Programs for a Cortex-M3 and for RISC-V, with what no build of the library shows. The comment behind the name of a program
// is the answer that the prover must give: the length of its longest masked section, or why nothing is proved. Behind
// `RISC-V:` it is the answer for that processor, if it differs.
//
// A masked section begins after masks() or mask, and unmasks() or unmask is its last instruction. The others are one
// instruction each, but enter and leave, which are three and four on RISC-V. A callback may change KEEP, but not KEPT.
#include "frame.S"

// The longest way leads through a call: call, enter, four or one, leave, unmasks.
    program call_masked    // 8; RISC-V: 13
    enter
    masks(KEPT)
    call(1f)
    unmasks(KEPT)
    leave
1:
    enter
    if_zero(A, 2f)
    load(B, A, 0)
    load(B, B, 0)
    load(B, B, 0)
2:
    leave

// A callback with interrupts masked.
    program indirect_call    // an indirect call while interrupts are masked
    enter
    masks(KEPT)
    call_back(A)
    unmasks(KEPT)
    leave

// An interrupt may write to a local variable that the program waits for, and to one that was written in a masked
// section before. The second section has load, if_zero, nop, nop, unmasks.
    program interrupt_writes_local    // 5
    move_sp(-16)
    set(A, 0)
    store(A, sp, 0)
1:
    load(A, sp, 0)
    if_not_zero(A, 2f)
    jump(1b)
2:
    masks(KEEP)
    set(A, 0)
    store(A, sp, 0)
    unmasks(KEEP)
    mask
    load(A, sp, 0)
    if_zero(A, 3f)
    nops 2
3:
    unmasks(KEEP)
    move_sp(16)
    returns

// A masked loop that no constant ends.
    program loop    // a loop while interrupts are masked, and no constant ends it
    masks(KEEP)
1:
    load(A, A, 0)
    if_zero(A, 2f)
    jump(1b)
2:
    unmasks(KEEP)
    returns

// A loop of five passes, but a store through an unknown pointer may be to its counter.
    program loop_counted_on_stack    // a loop while interrupts are masked, and no constant ends it
    move_sp(-16)
    masks(KEEP)
    set(A, 5)
1:
    store(A, sp, 0)
    store(B, C, 0)
    load(A, sp, 0)
    decrement(A)
    if_zero(A, 2f)
    jump(1b)
2:
    unmasks(KEEP)
    move_sp(16)
    returns

// A masked loop without a branch out of it.
    program loop_forever    // a masked section without an end
    mask
1:
    jump(1b)

// A weak function, a static one that a table names, and one that nothing names: each may be called from outside.
// `unlock` is followed from its caller, which hands it the mask. `unlock_of_table` may also be called by the table.
    program calls_static    // 6
    enter
    masks(A)
    nop
    call(unlock)
    masks(A)
    nops 3
    call(unlock_of_table)
    leave
    function unlock
    unmasks(A)
    returns
    function unlock_of_table    // the mask that is restored is unknown
    nop
    unmasks(A)
    returns
    .weak replaceable
    function replaceable    // 3
    masks(A)
    nops 2
    unmasks(A)
    returns
    function handler    // 4
    masks(A)
    nops 3
    unmasks(A)
    returns
    function unreferenced    // 5
    masks(A)
    nops 4
    unmasks(A)
    returns
    .data
    .word handler
    .word unlock_of_table
    .text

    program recursion    // a recursion
    enter
    decrement(A)
    if_zero(A, 1f)
    call(recursion)
1:
    leave

// A register of the hardware may change between two loads, whatever pointer leads to it: load, if_zero, load,
// if_not_zero, 2 nops, unmasks.
    program register_read_twice    // 7
    masks(KEEP)
    load(B, A, 4)
    if_zero(B, 1f)
    load(C, A, 4)
    if_not_zero(C, 1f)
    nops 2
1:
    unmasks(KEEP)
    returns

// What it restores lay in KEEP, and a callback may change KEEP.
    program scratch_mask    // the mask that is restored is unknown
    enter
    masks(KEEP)
    unmasks(KEEP)
    call_back(A)
    mask
    unmasks(KEEP)
    leave

// What BASEPRI masks does not end a WFI.
    program sleep_under_basepri    // a WFI while BASEPRI is raised; RISC-V: 3
    set(A, 0x40)
    raises(KEEP, A)
    nops 2
    wfi
    lowers(KEEP)
    returns

// What PRIMASK masks does. BASEPRI is as the caller had it.
    program sleep_with_basepri_lowered    // 3
    set(A, 0x40)
    raises(KEEP, A)
    nops 2
    lowers(KEEP)
    masks(KEEP)
    nops 2
    wfi
    unmasks(KEEP)
    returns

// What it restores was not read from a mask.
    program unknown_mask    // the mask that is restored is unknown
    mask
    unmasks(A)
    returns

// Right when it is called unmasked. Called masked, it returns unmasked.
    program unmask_for_caller    // it returns with another mask than it was called with
    mask
    nop
    unmask
    returns

// One of two ways leaves without unmasking.
    program unmask_skipped    // it returns with another mask than it was called with
    masks(KEEP)
    if_zero(A, 1f)
    unmasks(KEEP)
1:
    returns

// No rule says what this instruction does.
    program unknown_instruction    // an instruction that is not known
    mask
    unknown
    unmask
    returns
