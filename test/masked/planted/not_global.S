@ SPDX-License-Identifier: MIT
@ A weak function, a static one that a table names, and one that nothing names: each may be called from outside.
@ `unlock` is followed from its caller, which hands it the mask. `unlock_of_table` may also be called by the table.
@ expect planted: 6
@ expect replaceable: 3
@ expect handler: 4
@ expect unreferenced: 5
@ expect unlock_of_table: the mask that is restored is unknown
    .syntax unified
    .thumb
    .macro function name
    .thumb_func
    .type \name, %function
\name:
    .endm
    .global planted
    function planted
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
    function unlock_of_table
    nop
    msr primask, r0
    bx lr
    .weak replaceable
    function replaceable
    mrs r0, primask
    cpsid i
    nop
    nop
    msr primask, r0
    bx lr
    function handler
    mrs r0, primask
    cpsid i
    nop
    nop
    nop
    msr primask, r0
    bx lr
    function unreferenced
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
