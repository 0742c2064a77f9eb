# SPDX-License-Identifier: MIT
"""The cycles of a Cortex-M0 and an M0+ with zero wait states, as table 3-1 of their Technical Reference Manuals has them. The
multiplier is the fast one: with the small one MULS takes 32 cycles instead of 1."""
from program import LOAD, MANY, PC, STORE

INSTRUCTIONS = "instructions"
CORES = ("m0", "m0plus")
# What the M0+, with its shorter pipeline, needs less.
BARRIERS = {"mrs", "msr", "isb", "dsb", "dmb", "bl"}


def cycles(instruction, core, branches):
    """`branches`: the instruction at the next address is not the next one."""
    name, shorter = instruction.name, int(core == "m0plus")
    if name in BARRIERS:
        return 4 - shorter
    if name in MANY:
        # A list has the link register and the program counter, too.
        registers = instruction.operands[-1][1]
        return len(registers) + (4 - shorter if PC in registers else 1)
    if name in LOAD or name in STORE:
        return 2
    return 3 - shorter if branches or name in ("bx", "blx") else 1
