// SPDX-License-Identifier: MIT
#include "frame.S"

// Loops of the instructions that only the M55 has, and a value that a condition selects: cmp, cinc, mov, dls, 5 times
// nop and le, cbz, 2 nops, movs; then twice subs and cbz, once le; msr.
    program loop_end    // 24
    enter
    masks(KEPT)
    cmp r1, #3
    cinc r2, r0, eq
    mov r3, #5
    dls lr, r3
1:
    nop
    le lr, 1b
    cbz r2, 2f
    nops 2
2:
    movs r3, #2
3:
    subs r3, r3, #1
    cbz r3, 4f
    le 3b
4:
    unmasks(KEPT)
    leave
