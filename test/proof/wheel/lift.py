# SPDX-License-Identifier: MIT
"""The instructions as test/proof/masked knows them, with terms of the solver where its walk knows no constant. What is not followed
may be anything, so that a proof fails."""
import operator
import re
import sys
from functools import partial
from pathlib import Path

from z3 import (UGE, UGT, ULE, ULT, BitVec, BitVecSort, BitVecVal, BoolSort, FreshConst, FreshFunction, Function, If, LShR,
                RotateRight, is_bv, is_bv_value, is_false, is_true, simplify)

sys.path.append(str(Path(__file__).resolve().parent.parent / "masked"))
import state
import thumb
from program import LOAD, LOAD_MANY, MANY, PC, SP
from prove_words import leading_zeros
from state import BY_RESULT, PRIMASK, stack_offset

# Those that z3 writes in another way.
OPERATIONS = {**thumb.OPERATIONS, "lsr": lambda one, by: LShR(one, by & 0xFF), "asr": lambda one, by: one >> (by & 0xFF),
              "ror": RotateRight}
del OPERATIONS["clz"]
# What each condition says of the operands of a comparison.
CONDITIONS = {"eq": operator.eq, "ne": operator.ne, "cs": UGE, "cc": ULT, "hi": UGT, "ls": ULE, "ge": operator.ge,
              "lt": operator.lt, "gt": operator.gt, "le": operator.le,
              "mi": lambda one, other: one - other < 0, "pl": lambda one, other: one - other >= 0}


def term(value):
    """For the solver. A value that is neither a number nor a term may be any, but an address on the stack is not null."""
    if stack_offset(value) is not None:
        return BitVecVal(0x20000000 + stack_offset(value), 32)
    if value.__class__ is int:
        return BitVecVal(value, 32)
    return value if is_bv(value) else FreshConst(BitVecSort(32))


def memory(address, words=Function("memory", BitVecSort(32), BitVecSort(32))):
    """The word at an address. A store makes another function of it."""
    return words(address)


def stored(memory, at, value):
    return lambda address: If(address == at, value, memory(address))


def half_word(memory, address):
    return LShR(memory(address & ~3), (address & 2) * 8) & 0xFFFF


class State(state.State):
    """Also has the conditions and the addresses of the instructions that have led to a place, and the words of the memory
    beside the stack. Interrupts are masked, so that all keep their values."""

    def __init__(self, at, arguments, stack):
        super().__init__(at, PRIMASK, thumb.REGISTERS)
        self.registers[:13] = [*arguments, *(BitVec(f"r{n}", 32) for n in range(len(arguments), 13))]
        self.stack.update(stack)
        self.conditions, self.executed, self.called, self.memory = [], frozenset(), None, memory

    def copy(self):
        made = super().copy()
        made.conditions, made.executed, made.called, made.memory = self.conditions[:], self.executed, self.called, self.memory
        return made

    def holds(self, condition):
        first, second, compared, *_ = self.flags
        if condition not in CONDITIONS or not compared and condition not in BY_RESULT:
            return FreshConst(BoolSort())
        return CONDITIONS[condition](term(first), term(second))

    def decided(self, condition):
        for one, result in self.flags[3]:
            if one == condition:
                return result
        found = simplify(self.holds(condition))
        return is_true(found) if is_true(found) or is_false(found) else None

    def assume(self, condition, result):
        self.conditions.append(self.holds(condition) == result)
        super().assume(condition, result)


class Processor(thumb.Processor):
    """A call of one of the functions `ends` ends a path: `at` of the state is then None, and `called` is the address."""

    def unconditionally(self, state, instruction):
        if instruction.name == "bl" and instruction.operands[0][1] in self.ends:
            state.at, state.called = None, instruction.operands[0][1]
            return None
        return super().unconditionally(state, instruction)

    def memory(self, state, instruction):
        """Follows words and halves beside the stack. After another store there, that memory may be anything."""
        name, operands = instruction.name, instruction.operands
        number, offset, moves, indexes = next((what for kind, what in operands if kind == "memory"), (
            operands[0][1] if len(operands) > 1 else SP, 0, name in ("push", "pop") or operands[0][0] == "base", []))
        base = None if number == PC else state.registers[number]
        # After the memory there may be by how much the pointer moves.
        followed = name in ("ldmia", "stmia") or name in ("ldr", "ldrd", "ldrh", "str", "strd") and not moves and (
            operands[-1][0] == "memory")
        if base is None or stack_offset(base) is not None or not followed:
            super().memory(state, instruction)
            if stack_offset(base) is None and name not in LOAD | LOAD_MANY:
                state.memory = partial(memory, words=FreshFunction(BitVecSort(32), BitVecSort(32)))
            return
        shift = re.search(r"lsl #(\d+)\]", instruction.text)
        address = term(base) + (term(state.registers[indexes[0]]) << int(shift[1] if shift else 0) if indexes else offset)
        registers = operands[-1][1] if name in MANY else [what for _, what in operands[:-1]]
        for step, register in enumerate(registers):
            if name in LOAD | LOAD_MANY:
                found = half_word(state.memory, address) if name == "ldrh" else state.memory(address + 4 * step)
                self.write(state, register, found)
            else:
                state.store_somewhere()
                state.memory = stored(state.memory, address + 4 * step, term(state.registers[register]))
        if name in MANY and moves:
            self.write(state, number, address + 4 * len(registers))

    def result(self, state, instruction):
        self.carry = If(state.holds("cs"), BitVecVal(1, 32), BitVecVal(0, 32))
        super().result(state, instruction)

    def computed(self, name, values):
        values = [*values[:2], self.carry] if name == "adc" else values
        if all(value.__class__ is int for value in values):
            return super().computed(name, values)
        if name == "clz":
            return leading_zeros(*values)
        if name not in OPERATIONS or not all(value.__class__ is int or is_bv(value) for value in values):
            return None
        found = simplify(OPERATIONS[name](*values))
        return found.as_long() if is_bv_value(found) else found

    def paths(self, start):
        """The states in which the function returns."""
        waiting = [start]
        while waiting:
            here, after = waiting.pop(), None
            while here.at is not None and after is None:
                here.executed |= {here.at}
                after = self.step(here)
            if after is None:
                yield here
            else:
                waiting += after
