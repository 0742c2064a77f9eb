# SPDX-License-Identifier: MIT
"""Arm instructions, where they are not those of Thumb: Armv7-A and Armv7-R Architecture Reference Manual, A8."""
import program
from program import CONDITIONS, NAMES
from thumb import OBJDUMP, REGISTERS, Processor

__all__ = ["OBJDUMP", "REGISTERS", "Processor", "Instruction"]
ALIASES = {"ldm": "ldmia", "ldmfd": "ldmia", "stm": "stmia", "stmfd": "stmdb"}
BY_NUMBER = {number: name for name, number in NAMES.items()}


class Instruction(program.Instruction):
    def __init__(self, address, size, text):
        mnemonic, _, rest = text.partition("\t")
        mnemonic = mnemonic.strip()
        condition = mnemonic[-2:] if mnemonic[-2:] in CONDITIONS else ""
        name = mnemonic.removesuffix(condition)
        mnemonic = ALIASES.get(name, name) + condition
        if mnemonic.startswith("nop"):
            mnemonic, rest = "nop", ""
        first, _, others = rest.partition(",")
        if mnemonic.startswith(("ldrd", "strd")):
            # The second register is the next one.
            rest = f"{first}, {BY_NUMBER[NAMES[first] + 1]},{others}"
        super().__init__(address, size, f"{mnemonic}\t{rest}")
        self.pc = address + 8
        kinds = [kind for kind, _ in self.operands]
        if "memory" in kinds and "register" in kinds[kinds.index("memory"):]:
            # Not followed: a base that a register moves.
            self.name = text
