// SPDX-License-Identifier: MIT
// The begin of a planted program. The comment behind its name is the answer that the walk must give: the length of its
// longest masked section, or why nothing is proved.
#ifdef __arm__
    .syntax unified
#endif
    .macro function name
#ifdef __thumb__
    .thumb_func
#endif
    .type \name, %function
\name:
    .endm
    .macro program name
    .global \name
    function \name
    .endm
