@ SPDX-License-Identifier: MIT
@ A masked loop without a branch out of it.
@ expect planted: a masked section without an end
    .syntax unified
    .thumb
    .thumb_func
    .global planted
    .type planted, %function
planted:
    cpsid i
1:
    b 1b
