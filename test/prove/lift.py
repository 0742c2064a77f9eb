# SPDX-License-Identifier: MIT
"""Thumb instructions as terms of the solver, along every path of a function: Armv7-M Architecture Reference Manual, A7.

Interrupts are masked whenever the function reads or writes the wheel or a timer; otherwise it is refused. What this file
does not know is refused too. A flag that it does not compute may be anything."""
import re
import sys
from pathlib import Path

from z3 import (And, Array, BitVec, BitVecSort, BitVecVal, BoolSort, BoolVal, Concat, Extract, FreshConst, LShR, Not,
                RotateRight, Select, SolverFor, Store, UGE, ULT, ZeroExt, is_bv_value, is_false, is_true, sat, simplify)

sys.path.append(str(Path(__file__).resolve().parent.parent / "masked"))
import program
import thumb
from program import LR, PC, SP, Refused

WORD, MASKED = BitVecSort(32), BitVecVal(1, 1)
# To which object an address leads: the stack, the clock and the slots, or a timer.
STACK, WHEEL, TIMER = "stack", "wheel", "timer"


class Value:
    """A word, and the object to which it leads if it is an address. What a load of a word finds may lead to a timer. A
    shifted operand has the bit that was shifted out last."""

    def __init__(self, term, leads=None, carry=None):
        self.term, self.leads, self.carry = simplify(term), leads, carry


def number(value):
    return BitVecVal(value, 32)


SHIFTS = {"lsl": lambda one, by: one << by, "lsr": LShR, "asr": lambda one, by: one >> by, "ror": RotateRight}
UNARY = {"mov": lambda one: one, "movw": lambda one: one, "mvn": lambda one: ~one, "neg": lambda one: -one,
         "uxtb": lambda one: one & 0xFF, "uxth": lambda one: one & 0xFFFF}
LOGICAL = {"and": lambda one, other: one & other, "tst": lambda one, other: one & other, "orr": lambda one, other: one | other,
           "eor": lambda one, other: one ^ other, "bic": lambda one, other: one & ~other}


def unknown():
    return FreshConst(BoolSort())


class State:
    """Registers, flags, the mask, and four kinds of memory: stack and clock by address, slots and timers as arrays."""

    def __init__(self, timer, expires, clock):
        self.registers = [Value(BitVec(f"r{n}", 32)) for n in range(15)]
        self.registers[0], self.registers[1] = Value(timer, TIMER), Value(expires)
        self.registers[SP] = Value(number(0), STACK)
        self.flags = dict.fromkeys("nzcv", BoolVal(False))
        self.primask = BitVec("primask", 1)
        self.stack, self.clock = {}, dict(clock)
        self.slots, self.timers = Array("slots", WORD, WORD), Array("timers", WORD, WORD)
        self.at, self.executed, self.conditions, self.must_hold = None, frozenset(), [], []

    def copy(self):
        made = State.__new__(State)
        made.__dict__.update(self.__dict__)
        for name in ("registers", "conditions", "must_hold"):
            setattr(made, name, list(getattr(self, name)))
        for name in ("flags", "stack", "clock"):
            setattr(made, name, dict(getattr(self, name)))
        return made


def holds(flags, condition):
    n, z, c, v = (flags[name] for name in "nzcv")
    base = {"eq": z, "cs": c, "mi": n, "vs": v, "hi": And(c, Not(z)), "ge": n == v, "gt": And(Not(z), n == v)}
    opposite = {"ne": "eq", "cc": "cs", "pl": "mi", "vc": "vs", "ls": "hi", "lt": "ge", "le": "gt"}
    return simplify(base[condition] if condition in base else Not(base[opposite[condition]]))


class Lifter:
    """The paths of a function of a linked program. `wheel` has the addresses of the clock's words, of the slots, and of
    what follows them."""

    def __init__(self, instructions, constants, wheel, assumed):
        self.instructions, self.constants = instructions, constants
        self.clock, self.slots, self.end = wheel
        self.solver = SolverFor("QF_AUFBV")
        self.solver.add(assumed)

    def paths(self, state):
        """The states in which the function returns."""
        waiting = [state.copy()]
        while waiting:
            state = waiting.pop()
            one = self.instructions.get(state.at)
            if one is None:
                yield state
                continue
            state.executed = state.executed | {state.at}
            try:
                waiting += self.step(state, one)
            except (Refused, KeyError, IndexError) as refused:
                raise Refused(f"{one.address:x} {one.text}: {refused}") from refused

    def divided(self, state, condition):
        """The state in which the condition holds, and the one in which it does not; None if that is impossible."""
        if is_true(condition) or is_false(condition):
            return (state, None) if is_true(condition) else (None, state)
        found = []
        for one, term in ((state.copy(), condition), (state.copy(), Not(condition))):
            one.conditions.append(term)
            found.append(one if self.solver.check(*one.conditions) == sat else None)
        return found

    def step(self, state, one):
        if one.condition:
            taken, skipped = self.divided(state, holds(state.flags, one.condition))
            if skipped:
                skipped.at = one.next
        elif one.name in ("cbz", "cbnz"):
            is_zero = state.registers[one.operands[0][1]].term == 0
            taken, skipped = self.divided(state, simplify(is_zero if one.name == "cbz" else Not(is_zero)))
            if skipped:
                skipped.at = one.next
        else:
            taken, skipped = state, None
        if taken:
            taken.at = one.next
            self.execute(taken, one)
        return [after for after in (skipped, taken) if after]

    # --- Operands

    def read(self, state, one, index):
        kind, what = one.operands[index]
        if kind == "number":
            return Value(number(what))
        if kind != "register" or what == PC:
            raise Refused("an operand")
        value = state.registers[what]
        if index + 1 < len(one.operands) and one.operands[index + 1][0] == "shift":
            way, amount = one.operands[index + 1][1]
            last = 32 - amount if way == "lsl" else amount - 1
            value = Value(SHIFTS[way](value.term, number(amount)), None, simplify(Extract(last, last, value.term) == 1))
        return value

    def write(self, state, register, value):
        if register == PC:
            self.jump(state, value)
        elif register == SP and (value.leads != STACK or not is_bv_value(value.term)):
            raise Refused("the stack pointer is unknown")
        else:
            state.registers[register] = value

    def jump(self, state, value):
        # The caller's address is a name, and no instruction.
        state.at = value.term.as_long() & ~1 if is_bv_value(value.term) else value.term

    # --- Memory

    def address(self, state, one):
        """The object and the address of a load or store; its place in the word."""
        base, offset, moves, indexes = one.operands[-1][1]
        if moves or one.operands[-1][0] != "memory":
            raise Refused("an address that moves")
        if base == PC:
            return "constants", one.pc + offset, 0
        found = state.registers[base]
        if indexes:
            index = state.registers[indexes[0]]
            shift = re.search(r"lsl #(\d)\]", one.text)
            if index.leads:
                found, index = index, found
            if index.leads or shift and found is not state.registers[base]:
                raise Refused("two addresses in one")
            found, offset = Value(found.term + (index.term << int(shift[1]) if shift else index.term), found.leads), 0
        if found.leads not in (STACK, WHEEL, TIMER):
            raise Refused("an address that leads nowhere")
        if found.leads != STACK and not state.primask.eq(MASKED):
            raise Refused("an access while interrupts are not masked")
        term = simplify(found.term + (offset & ~3))
        if found.leads != TIMER and is_bv_value(term):
            term = term.as_long()
        if found.leads == WHEEL and term not in self.clock:
            inside = number(term) if isinstance(term, int) else term
            state.must_hold.append(And(inside & 3 == 0, ULT(inside - self.slots, self.end - self.slots)))
        return found.leads, term, offset & 3

    def load(self, state, leads, address):
        if leads == "constants":
            value = self.constants[address]
            return Value(number(value), WHEEL if min(self.clock) <= value < self.end else None)
        if leads == STACK:
            return state.stack[address]
        if leads == TIMER:
            return Value(Select(state.timers, address), TIMER)
        if isinstance(address, int) and address in state.clock:
            return Value(state.clock[address])
        return Value(Select(state.slots, address), TIMER)

    def store(self, state, leads, address, value):
        if leads == STACK:
            state.stack[address] = value
        elif leads == TIMER:
            state.timers = Store(state.timers, address, value.term)
        elif isinstance(address, int) and address in state.clock:
            state.clock[address] = value.term
        elif leads == WHEEL:
            state.slots = Store(state.slots, address, value.term)
        else:
            raise Refused("a store to a constant")

    # --- Instructions

    def execute(self, state, one):
        name, operands = one.name, one.operands
        if name in ("b", "bl", "cbz", "cbnz"):
            if name == "bl":
                state.registers[LR] = Value(number(one.next | 1))
            state.at = operands[-1][1]
        elif name == "bx":
            self.jump(state, state.registers[operands[0][1]])
        elif name == "push":
            for n in sorted(operands[0][1], reverse=True):
                self.move_stack(state, -4)
                state.stack[state.registers[SP].term.as_long()] = state.registers[n]
        elif name == "pop":
            for n in sorted(operands[0][1]):
                value = state.stack[state.registers[SP].term.as_long()]
                self.move_stack(state, 4)
                self.write(state, n, value)
        elif name in ("ldr", "ldrh", "ldrb"):
            leads, address, place = self.address(state, one)
            value = self.load(state, leads, address)
            bits = {"ldr": 32, "ldrh": 16, "ldrb": 8}[name]
            if place * 8 + bits > 32 or bits != 32 and leads == "constants":
                raise Refused("a load that is not aligned")
            if bits != 32:
                value = Value(ZeroExt(32 - bits, Extract(place * 8 + bits - 1, place * 8, value.term)))
            self.write(state, operands[0][1], value)
        elif name in ("str", "strh", "strb"):
            leads, address, place = self.address(state, one)
            value, bits = self.read(state, one, 0), {"str": 32, "strh": 16, "strb": 8}[name]
            if bits != 32:
                before, low = self.load(state, leads, address).term, place * 8
                parts = [Extract(31, low + bits, before)] if low + bits < 32 else []
                parts += [Extract(bits - 1, 0, value.term)] + ([Extract(low - 1, 0, before)] if low else [])
                value = Value(Concat(*parts) if len(parts) > 1 else parts[0])
            self.store(state, leads, address, value)
        elif name in ("mrs", "msr", "cpsid"):
            self.mask(state, name, operands)
        elif name not in ("it", "nop", "isb"):
            self.compute(state, one)

    def move_stack(self, state, by):
        state.registers[SP] = Value(state.registers[SP].term + by, STACK)

    def mask(self, state, name, operands):
        if name == "cpsid" and operands[0][1] == "i":
            state.primask = MASKED
        elif name == "mrs" and operands[1][1] == "primask":
            state.registers[operands[0][1]] = Value(ZeroExt(31, state.primask))
        elif name == "msr" and operands[0][1] == "primask":
            state.primask = simplify(Extract(0, 0, state.registers[operands[1][1]].term))
        else:
            raise Refused("a mask that is not PRIMASK")

    def compute(self, state, one):
        """Arithmetic. C after a shift is not computed, nor after a logical operation without a shifted operand."""
        name = one.name
        values = [self.read(state, one, n) for n, (kind, _) in enumerate(one.operands) if kind != "shift"]
        compares = name in ("cmp", "cmn", "tst")
        # The first operand is the result's. If there are two, it is read as well.
        left, *others = values if compares or len(values) == 2 and name not in UNARY else values[1:]
        first, second = left.term, others[0].term if others else None
        carry = overflow = leads = None
        if name in ("add", "addw", "cmn"):
            result = first + second
            carry, overflow = ULT(result, first), (first ^ result) & (second ^ result) < 0
            leads = None if left.leads and others[0].leads else left.leads or others[0].leads
        elif name in ("sub", "subw", "cmp", "rsb"):
            if name == "rsb":
                first, second = second, first
            result = first - second
            carry, overflow = UGE(first, second), (first ^ second) & (first ^ result) < 0
            leads = left.leads if name != "rsb" and is_bv_value(second) else None
        elif name in SHIFTS:
            result = SHIFTS[name](first, second & 0xFF)
        elif name == "ubfx":
            result = LShR(first, second) & ((1 << others[1].term.as_long()) - 1)
        elif name in UNARY:
            result, leads = UNARY[name](first), left.leads if name == "mov" else None
        else:
            result, carry = LOGICAL[name](first, second), others[0].carry
        if one.sets_flags:
            state.flags.update(n=simplify(result < 0), z=simplify(result == 0), c=unknown() if carry is None else carry)
            if overflow is not None:
                state.flags["v"] = overflow
        if not compares:
            self.write(state, one.operands[0][1], Value(result, leads))
