// SPDX-License-Identifier: MIT
// The steps of a model that replay/ forces on the code. A trail prints one a line:
// the core, the name, and what is written.
#define STEP(core, name) printf("STEP %d ", core); printf(#name); printf("\n")
#define SET(core, word, value) d_step { \
    word = value; printf("STEP %d ", core); printf(#word); printf(" = %d\n", value) }
