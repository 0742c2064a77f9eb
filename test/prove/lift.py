# SPDX-License-Identifier: MIT
"""Thumb instructions as terms of the solver, along every path of a function that calls nothing: Armv7-M Architecture
Reference Manual, A7. What this file does not know is refused. A flag that it does not compute may be anything."""
import sys
from pathlib import Path

from z3 import (And, BitVec, BitVecVal, BoolSort, BoolVal, FreshConst, If, LShR, Not, UGE, ULT, is_bv_value, is_false,
                simplify)

sys.path.append(str(Path(__file__).resolve().parent.parent / "masked"))
import thumb
from program import COMPARE, PC, SP, Refused

# Where a function is called from, and its stack: no program has code or a variable there.
RETURN, STACK = 0xFFFFFFFE, 0x7FFFFFF0


def word(value):
    return BitVecVal(value, 32)


SHIFTS = {"lsl": lambda one, by: one << by, "lsr": LShR, "asr": lambda one, by: one >> by}
UNARY = {"mov": lambda one: one, "movw": lambda one: one, "mvn": lambda one: ~one, "neg": lambda one: -one,
         "uxtb": lambda one: one & 0xFF, "uxth": lambda one: one & 0xFFFF}
BINARY = {**SHIFTS, "and": lambda one, other: one & other, "tst": lambda one, other: one & other,
          "orr": lambda one, other: one | other, "eor": lambda one, other: one ^ other, "bic": lambda one, other: one & ~other}


class State:
    """What is known at one place of a path: the registers, the flags, each word of the memory, and which instructions and
    conditions have led there."""

    def __init__(self, at, arguments, memory):
        self.at, self.executed, self.conditions = at, frozenset(), []
        self.registers = [*arguments, *(BitVec(f"r{n}", 32) for n in range(len(arguments), 13)), word(STACK), word(RETURN)]
        self.memory, self.flags = dict(memory), dict.fromkeys("nzcv", BoolVal(False))

    def with_condition(self, condition, at):
        made = State(at, (), self.memory)
        made.registers, made.flags, made.executed = list(self.registers), dict(self.flags), self.executed
        made.conditions = [*self.conditions, condition]
        return made

    def holds(self, condition):
        n, z, c, v = (self.flags[name] for name in "nzcv")
        base = {None: BoolVal(True), "eq": z, "cs": c, "mi": n, "vs": v, "hi": And(c, Not(z)), "ge": n == v,
                "gt": And(Not(z), n == v)}
        opposite = {"ne": "eq", "cc": "cs", "pl": "mi", "vc": "vs", "ls": "hi", "lt": "ge", "le": "gt"}
        return base[condition] if condition in base else Not(base[opposite[condition]])

    def operand(self, one, index):
        kind, what = one.operands[index]
        if kind == "number":
            return word(what)
        if kind != "register" or what == PC:
            raise Refused("an operand")
        value = self.registers[what]
        if index + 1 < len(one.operands) and one.operands[index + 1][0] == "shift":
            way, amount = one.operands[index + 1][1]
            value = SHIFTS[way](value, word(amount))
        return value


def address(state, base, offset):
    term = simplify(state.registers[base] + offset)
    if not is_bv_value(term):
        raise Refused("an address that is unknown")
    return term.as_long()


def paths(instructions, constants, start):
    """The states in which the function returns."""
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state.at == RETURN:
            yield state
            continue
        one = instructions[state.at]
        state.executed |= {one.address}
        try:
            waiting += step(state, one, constants)
        except (Refused, KeyError, IndexError, TypeError) as refused:
            raise Refused(f"{one.address:x} {one.text}: {refused!r}") from refused


def step(state, one, constants):
    """The states that follow. A condition divides the paths if it is one of a jump."""
    if one.name in ("cbz", "cbnz"):
        is_zero = state.operand(one, 0) == 0
        condition = is_zero if one.name == "cbz" else Not(is_zero)
    else:
        condition = state.holds(one.condition)
    if one.name in ("b", "bx", "cbz", "cbnz") or PC in one.numbers(("list",)):
        taken, passed = state.with_condition(condition, one.next), state.with_condition(Not(condition), one.next)
        if one.name == "bx":
            taken.at = address(taken, one.operands[0][1], 0) & ~1
        elif one.name == "pop":
            move(taken, one, BoolVal(True), constants)
        else:
            taken.at = one.operands[-1][1]
        return [each for each in (taken, passed) if not is_false(simplify(each.conditions[-1]))]
    state.at = one.next
    if one.name in ("push", "pop", "ldr", "str", "ldrd", "strd"):
        move(state, one, condition, constants)
    elif one.name not in ("it", "nop"):
        compute(state, one, condition)
    return [state]


def move(state, one, condition, constants):
    """Between registers and memory, in whole words."""
    kind, what = one.operands[-1]
    if one.name in ("push", "pop"):
        names, base, offset = sorted(what), SP, 0
        moved = state.registers[SP] + (4 if one.name == "pop" else -4) * len(names)
        if one.name == "push":
            state.registers[SP] = moved
    else:
        names, (base, offset, moves, indexes) = [each[1] for each in one.operands[:-1]], what
        if kind != "memory" or moves or indexes:
            raise Refused("an address that moves")
    first = one.pc + offset if base == PC else address(state, base, offset)
    memory = constants if base == PC else state.memory
    for place, register in enumerate(names):
        at = first + 4 * place
        if one.name in ("push", "str", "strd"):
            state.memory[at] = If(condition, state.registers[register], memory.get(at, word(0)))
        elif register == PC:
            state.at = simplify(memory[at]).as_long() & ~1
        else:
            state.registers[register] = If(condition, memory[at], state.registers[register])
    if one.name == "pop":
        state.registers[SP] = moved


def compute(state, one, condition):
    """Arithmetic. C and V are computed where two numbers are added or subtracted."""
    name, target = one.name, one.operands[0][1]
    values = [state.operand(one, n) for n, (kind, _) in enumerate(one.operands) if kind != "shift"]
    # The first operand is the result's. If there are two, it is read as well.
    if len(values) > 2 or name in UNARY:
        values = values[1:] if name != "bfi" else values
    first, *others = values
    carry, overflow = FreshConst(BoolSort()), state.flags["v"]
    if name in ("add", "addw", "cmn"):
        result = first + others[0]
        carry, overflow = ULT(result, first), (first ^ result) & (others[0] ^ result) < 0
    elif name in ("sub", "subw", "cmp", "rsb"):
        first, second = (others[0], first) if name == "rsb" else (first, others[0])
        result = first - second
        carry, overflow = UGE(first, second), (first ^ second) & (first ^ result) < 0
    elif name in ("ubfx", "bfi"):
        lowest, width = (each.as_long() for each in others[-2:])
        field = (1 << width) - 1
        result = LShR(first, lowest) & field if name == "ubfx" else \
            first & ~(field << lowest) | (others[0] & field) << lowest
    else:
        result = UNARY[name](first) if name in UNARY else BINARY[name](first, others[0])
    if name not in COMPARE:
        if target == SP and not is_bv_value(simplify(result)):
            raise Refused("the stack pointer is unknown")
        state.registers[target] = If(condition, result, state.registers[target])
    if one.sets_flags:
        found = {"n": result < 0, "z": result == 0, "c": carry, "v": overflow}
        state.flags = {flag: If(condition, value, state.flags[flag]) for flag, value in found.items()}
