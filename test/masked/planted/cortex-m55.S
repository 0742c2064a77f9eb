// SPDX-License-Identifier: MIT
#include "frame.S"

// LE may go back and may go on, whatever LR has.
    program loop_end    // a loop while interrupts are masked, and no constant ends it
    enter
    masks(KEEP)
    dls lr, r1
1:
    nop
    le lr, 1b
    unmasks(KEEP)
    leave
