# SPDX-License-Identifier: MIT
"""Proves that sections of the core, as compiled, do what wheel.py says, in every state of the clock that the invariants allow:
the slot that an arm chooses, that to which a cascade moves a timer, the end of a tick, and the pass to another block; and that
a cancel does what prove_lists.py says, in any memory. It does so in every legal geometry. In one build each number of the
instructions, less one or one more, must be refuted."""
import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path

import invariants
import wheel
from levels import geometries
from lift import Processor, State, half_word, memory, stored, term, thumb
from program import Program, Refused
from prove_lists import Lists
from prove_words import TOP, leading_zeros
from sections import Wheel, paths, solver
from z3 import (UGE, ULE, ULT, And, BitVec, BitVecVal, If, LShR, Not, Or, RotateRight, ZeroExt, sat, unknown)

OUT = Path("build/prove")
PREFIX = os.environ.get("CROSS", "arm-none-eabi-")
FLAGS = "-mthumb -std=c++17 -ffreestanding -fno-exceptions -fno-unwind-tables -Icore -Iport/cortex_m -Dprivate=public".split()
COMPILERS = {"GCC": [f"{PREFIX}g++"],
             "clang": ["clang++-" + os.environ.get("LLVM", "19"), "--target=arm-none-eabi", "-nostdlibinc"]}
BUILDS = [(compiler, core, level) for compiler in COMPILERS for core in ("cortex-m3", "cortex-m0") for level in ("-O2", "-Os")]
# A call of one of these ends a path.
NEXT = ("update_next_run", "end_block")
# The clock is a local variable of the caller, so many bytes above its stack pointer.
CLOCK = 64
WORDS = ("jiffies", "next_run", "tv1_limit", "next_block", "jiffies_halves")


def clock_of(w):
    return [w.word(w.jiffies), w.word(w.next_run), w.word(w.tv1_limit), w.next_block, w.jiffies_halves]


def chosen_slot(w):
    w.result = wheel.schedule(w, w.next_block + BitVec("argument", 32))


def cascaded_slot(w):
    w.result = wheel.cascaded_slot(w, w.next_block + BitVec("argument", 32))


def passed_blocks(w):
    ticks = BitVec("argument", 32)
    w.given(ticks != 0, ULE(ticks, 1 << 31), ticks & (w.geometry.block_size - 1) == 0)
    wheel.pass_blocks(w, ticks)
    w.result = None


SECTIONS = {"chosen_slot": chosen_slot, "cascaded_slot": cascaded_slot, "passed_blocks": passed_blocks}


def compiled(geometry, build):
    compiler, core, level = build
    object_file = OUT / f"sections-{'-'.join(build)}-{geometry.name}.o"
    linked = object_file.with_suffix(".elf")
    flags = [*FLAGS, f"-DTVR_BITS={geometry.tvr_bits}", f"-DTVN_BITS={geometry.tvn_bits}", f"-mcpu={core}", level]
    subprocess.run([*COMPILERS[compiler], *flags, "-c", "test/proof/wheel/sections.cpp", "-o", object_file], check=True)
    # An inline function that is not inlined has a section of its own.
    subprocess.run([f"{PREFIX}ld", "--unresolved-symbols=ignore-all", "-e", "0", object_file, "-o", linked], check=True)
    return Program(linked, PREFIX, thumb)


class Proof:
    """The state in which a function is called, and what must hold where it returns."""

    def __init__(self, geometry, program, name):
        self.program, self.name = program, name
        before = Wheel(geometry, wheel.BETWEEN_RUNS)
        self.clock = dict(zip(range(CLOCK, CLOCK + 20, 4), clock_of(before)))
        argument = BitVec("argument", 32)
        self.argument = argument if name == "passed_blocks" else before.next_block + argument
        self.arguments = [("stack", CLOCK), self.argument]
        self.shown = dict(zip(("argument", *WORDS), (self.argument, *self.clock.values())))
        self.allowed = Or(*(And(*(claim for _, claim in invariants.of_clock(Wheel(geometry, place))))
                            for place in wheel.PLACES))
        # The paths of the model become one term for each word.
        ends = list(paths(SECTIONS[name], geometry, wheel.BETWEEN_RUNS))
        self.given = And(*(one for one in (ends[0].assumed if name == "passed_blocks" else [])))
        self.wanted = {at: self.merged(ends, lambda end, n=n: clock_of(end)[n]) for n, at in enumerate(self.clock)}
        self.slot = None if ends[0].result is None else self.merged(ends, lambda end: ZeroExt(22, end.result))

    @staticmethod
    def merged(ends, value):
        found = value(ends[-1])
        for end in ends[:-1]:
            found = If(And(*end.assumed), value(end), found)
        return found

    def ends(self, changes=()):
        """The states in which the function returns, with these instructions instead of its own."""
        processor = Processor(self.program)
        processor.ends = {address for name, address in self.program.functions.items() if any(one in name for one in NEXT)}
        processor.instructions = {**self.program.instructions, **{one.address: one for one in changes}}
        return processor.paths(State(self.program.functions[self.name], self.arguments, self.clock))

    def claims(self, end):
        yield from (term(end.stack.get(at)) == wanted for at, wanted in self.wanted.items())
        if self.slot is not None:
            yield term(end.registers[0]) == self.slot

    def refuted(self, end):
        """A state of the clock in which a path breaks a claim."""
        found = solver()
        found.add(self.allowed, self.given, *end.conditions, Not(And(*self.claims(end))))
        answer = found.check()
        if answer == unknown:
            sys.exit(f"the solver cannot tell: {found.reason_unknown()}")
        if answer == sat:
            yield f"{self.name}: " + ", ".join(f"{one} {found.model().eval(value, True).as_long():#x}"
                                               for one, value in self.shown.items())

    def refutes(self, changed):
        """Whether a path through a changed instruction breaks a claim, or cannot be followed."""
        try:
            return any(True for end in self.ends([changed]) if changed.address in end.executed for _ in self.refuted(end))
        except Refused:
            return True

    def mutants(self):
        """Each: the instruction that it changes, and that with a number less one, and with the number and one more. What
        is on the stack is that of the call in sections.cpp."""
        executed = set().union(*(end.executed for end in self.ends()))
        for address, one in self.program.instructions.items():
            for number in re.finditer(r"#(\d+)", one.text if address in executed and "sp" not in one.text else ""):
                texts = [f"{one.text[:number.start(1)]}{int(number[1]) + by}{one.text[number.end(1):]}" for by in (-1, 1)]
                yield one.text.expandtabs(1), [thumb.Instruction(address, one.next - address, text) for text in texts]


class FinishedTick(Proof):
    """finish_tick(), with any marks in the word of its slot: it finds the next mark, or goes on in the other words, or ends the
    block. prove_words.py proves that these are the marks that the model means."""

    def __init__(self, geometry, program, name):
        super().__init__(geometry, program, "passed_blocks")
        self.name, others = name, BitVec("others", 32)
        self.arguments.append(others)
        slot = self.argument & (geometry.tvr_size - 1)
        self.later = others << (slot & 31)
        # The mark of the slot is cleared.
        self.given = self.later >= 0
        self.is_last = ~slot & (geometry.block_size - 1) == 0

    def claims(self, end):
        called = {address: name for name, address in self.program.functions.items()}.get(end.called, "")
        next_run = self.argument + leading_zeros(self.later) if end.called is None else self.clock[CLOCK + 4]
        yield term(end.stack.get(CLOCK + 4)) == next_run
        yield (self.later != 0) == (end.called is None)
        if end.called is not None:
            yield self.is_last == ("end_block" in called)
            yield Or("end_block" in called, And("update_next_run" in called,
                                                term(end.registers[1]) == (self.argument | 31) + 1))


class Field:
    """next[x] of prove_lists.py, or another, in the memory."""

    def __init__(self, lists, name):
        self.lists, self.name = lists, name

    def __getitem__(self, at):
        memory, address = self.lists.memory, self.lists.address(self.name, at)
        return half_word(memory, address) if self.name == "slot" else memory(address)


class ListsInMemory(Lists):
    """At the offsets of timer_list and wheel_slots."""
    prev, next, slot, first = (property(lambda self, name=one: Field(self, name)) for one in ("prev", "next", "slot", "first"))

    def __init__(self, geometry, core, slots):
        self.left_out, self.path, self.memory, self.slots = None, [], memory, slots
        marks, heads = (geometry.slot_count + 31) // 32 * 4, 4 * geometry.slot_count
        # A Cortex-M0 has the heads last. Four words are after the marks.
        self.heads, self.marks = (marks + 16, 0) if core == "cortex-m0" else (0, heads)
        self.change_token, self.size = self.marks + marks, heads + marks + 16

    def address(self, name, at):
        if name == "first":
            return self.slots + self.heads + 4 * at
        return at + {"prev": 0, "next": 4, "slot": 16, "change_token": self.change_token}[name]

    def set(self, name, at, value, statement=None):
        if name == "marked":
            word = self.slots + self.marks + 4 * LShR(at, 5)
            self.memory = stored(self.memory, word, self.memory(word) & ~RotateRight(TOP, at))
        elif name not in ("linked", "slot"):
            self.memory = stored(self.memory, self.address(name, at), value)


class Cancelled(Proof):
    """A cancel, of a timer of any lists or of an idle one: it leaves the memory that a cancel of prove_lists.py leaves."""

    def __init__(self, geometry, program, name, core):
        self.program, self.name, self.clock = program, name, {}
        timer, slots = self.arguments = BitVec("timer", 32), BitVec("slots", 32)
        lists = ListsInMemory(geometry, core, slots)
        older, younger, slot = lists.prev[timer], lists.next[timer], lists.slot[timer]
        self.shown = {"timer": timer, "older": older, "younger": younger, "slot": slot}
        objects = [(slots, lists.size), *((one, 20) for one in (timer, older, younger, lists.first[slot]))]
        self.allowed = And(*(one & 3 == 0 for one, _ in objects), *(
            Or(one == other, And(UGE(one - other, other_size), UGE(other - one, size)))
            for (one, size), (other, other_size) in combinations(objects, 2)), *(one != slots for one, _ in objects[1:]))
        self.pending = older != 0
        self.given = Or(Not(self.pending), And(ULT(slot, geometry.slot_count), lists.first[slot] != 0))
        self.anywhere = BitVec("anywhere", 32)
        self.wanted = memory(self.anywhere)
        for end in lists.unlink_for_requeue(timer):
            end.set("prev", timer, 0)
            end.set("change_token", slots, timer)
            self.wanted = If(And(self.pending, *end.path), end.memory(self.anywhere), self.wanted)

    def claims(self, end):
        yield end.memory(self.anywhere) == self.wanted
        yield term(end.registers[0]) == If(self.pending, BitVecVal(1, 32), BitVecVal(0, 32))


def judge(task):
    """How many paths and mutants of the sections there are, and what is wrong."""
    geometry, build, with_mutants = task
    program, paths_and_mutants, wrong = compiled(geometry, build), [], []
    for name in (*SECTIONS, "finished_tick", "cancelled"):
        proof = Cancelled(geometry, program, name, build[1]) if name == "cancelled" else (
            FinishedTick if name == "finished_tick" else Proof)(geometry, program, name)
        ends = list(proof.ends())
        wrong += [one for end in ends for one in proof.refuted(end)] + [f"{name}: no path"] * (ends == [])
        changed = list(proof.mutants()) if with_mutants else []
        # With one less it may be the same program: `x > 0 ? 1 : x` is `x > 1 ? 1 : x`.
        wrong += [f"{name}: two mutants are proved: {what}" for what, pair in changed if not any(map(proof.refutes, pair))]
        paths_and_mutants.append((len(ends), len(changed)))
    return paths_and_mutants, [f"{geometry.name}, {' '.join(build)}: {one}" for one in wrong]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [(geometry, build, (geometry.name, build) == ("86", BUILDS[0])) for geometry in geometries()
              for build in BUILDS if geometry.name == "86" or build == BUILDS[0]]
    with ProcessPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count())) as pool:
        judged = list(pool.map(judge, chosen))
    wrong = [line for _, lines in judged for line in lines]
    sections = [one for found, _ in judged for one in found]
    print(*wrong, f"{len(sections)} compiled sections: {sum(one[0] for one in sections)} paths, "
          f"{sum(one[1] for one in sections)} mutants, {len(wrong)} wrong", sep="\n")
    return wrong != [] or not sections


if __name__ == "__main__":
    sys.exit(main())
