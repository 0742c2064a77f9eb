# SPDX-License-Identifier: MIT
"""Proves that the compiled tickwheel_mod_timer() does what specification.py says, and changes nothing else, in every state
that the invariants of core/DESIGN.md allow.

Assumed, not proved: no two of stack, clock, slots and timers overlap, and lists are linked as core/DESIGN.md says."""
import os
import re
import shlex
import struct
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from constants import geometries
from lift import LR, SP, Lifter, State, number, program, thumb
from program import Refused
from specification import Arm
from z3 import (And, BitVec, Concat, Extract, If, Implies, LShR, Not, Or, Select, SolverFor, Store, UGE, ULT, ZeroExt, sat,
                unsat)

OUT = Path("build/prove")
PREFIX = os.environ.get("CROSS", "arm-none-eabi-")
MAKE = os.environ.get("MAKE", "make")
FUNCTION = "tickwheel_mod_timer"
LAYOUT = ("jiffies", "next_run", "tv1_end", "base", "half_wraps", "first", "marks", "changed_by", "size_of_slots",
          "prev", "next", "expires", "slot", "enabled", "size_of_timer")


@dataclass(frozen=True)
class Build:
    core: str
    level: str
    geometry: str = "8,6"

    @property
    def name(self):
        return f"{self.core}{self.level}-{self.geometry.replace(',', '-')}"


def tool(name, *arguments):
    return subprocess.run([PREFIX + name, *map(str, arguments)], check=True, capture_output=True).stdout


def linked(build):
    """The archive that `make lib` builds, linked; and the layout of its objects."""
    folder = OUT / build.name
    subprocess.run([MAKE, "--no-print-directory", "-s", "lib", f"LIB={folder}", f"CPU={build.core}", f"OPT={build.level}",
                    f"GEOMETRY={build.geometry}"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "MAKEFLAGS": "", "MAKELEVEL": ""})
    elf, measured = folder / "wheel.elf", folder / "layout.o"
    tool("ld", "-e", "0", "-Ttext=0x8000", "--whole-archive", folder / "libtickwheel.a", "-o", elf)
    flags = shlex.split((folder / "flags.txt").read_text())
    subprocess.run([*flags, "-c", "test/prove/layout.cpp", "-o", measured], check=True)
    words = struct.unpack(f"<{len(LAYOUT)}I", tool("objcopy", "-O", "binary", "-j", ".layout", measured, "/dev/stdout"))
    return program.Program(str(elf), PREFIX, thumb), dict(zip(LAYOUT, words))


def symbols(elf):
    lines = tool("nm", elf).decode().splitlines()
    return {words[2]: int(words[0], 16) for words in map(str.split, lines) if len(words) == 3}


def refutation(*formulas):
    """None if the formulas cannot all be true; else the state in which they are."""
    solver = SolverFor("QF_AUFBV")
    solver.add(*formulas)
    answer = solver.check()
    if answer not in (sat, unsat):
        sys.exit(f"the solver cannot tell: {solver.reason_unknown()}")
    return solver.model() if answer == sat else None


class Lists:
    """The slots and the timers in memory, and what DESIGN.md says of their links and marks."""

    def __init__(self, layout, slots_at, slots, timers):
        self.layout, self.slots_at, self.slots, self.timers = layout, slots_at, slots, timers

    def field(self, timer, name):
        return Select(self.timers, timer + self.layout[name])

    def set_field(self, timer, name, value, when=True):
        self.timers = If(when, Store(self.timers, timer + self.layout[name], value), self.timers)

    def at_first(self, slot):
        return self.slots_at + self.layout["first"] + 4 * slot

    def first(self, slot):
        return Select(self.slots, self.at_first(slot))

    def set_first(self, slot, timer, when=True):
        self.slots = If(when, Store(self.slots, self.at_first(slot), timer), self.slots)

    def set_mark(self, slot, marked, when):
        """The lowest slot of a word is its highest bit."""
        word = self.slots_at + self.layout["marks"] + 4 * LShR(slot, 5)
        bit = LShR(number(1 << 31), slot & 31)
        before = Select(self.slots, word)
        self.slots = If(when, Store(self.slots, word, before | bit if marked else before & ~bit), self.slots)

    def append(self, slot, timer):
        """The timer becomes the youngest of a slot."""
        oldest = self.first(slot)
        youngest = self.field(oldest, "prev")
        is_empty = oldest == 0
        self.set_first(slot, timer, is_empty)
        self.set_mark(slot, True, is_empty)
        self.set_field(timer, "prev", If(is_empty, timer, youngest))
        self.set_field(timer, "next", number(0))
        self.set_field(youngest, "next", timer, Not(is_empty))
        self.set_field(oldest, "prev", timer, Not(is_empty))
        state = Select(self.timers, timer + self.layout["slot"])
        self.timers = Store(self.timers, timer + self.layout["slot"], Concat(Extract(31, 16, state), Extract(15, 0, slot)))
        self.slots = Store(self.slots, self.slots_at + self.layout["changed_by"], timer)

    def remove(self, slot, timer):
        """The timer leaves its slot: the younger one follows the older one."""
        older, younger, oldest = self.field(timer, "prev"), self.field(timer, "next"), self.first(slot)
        is_oldest, is_youngest = oldest == timer, younger == 0
        self.set_first(slot, younger, is_oldest)
        self.set_mark(slot, False, And(is_oldest, is_youngest))
        self.set_field(older, "next", younger, Not(is_oldest))
        follower = If(is_youngest, oldest, younger)
        self.set_field(follower, "prev", older, Not(And(is_oldest, is_youngest)))


class Proof:
    """The states in which the function may be called, and in which it must return."""

    def __init__(self, geometry, layout, names, pending):
        self.arm = arm = Arm(geometry)
        self.layout, self.pending = layout, pending
        clock_at, self.slots_at = names["tickwheel_clock"], names["tickwheel_slots"]
        self.clock = {clock_at + layout[name]: getattr(arm, name) for name in ("jiffies", "next_run", "tv1_end", "base")}
        self.clock[clock_at + layout["half_wraps"]] = BitVec("half_wraps", 32)
        self.timer = BitVec("timer", 32)
        self.start = State(self.timer, arm.expires, self.clock)
        self.start.at = names[FUNCTION] & ~1
        self.objects = self.clock, self.slots_at, self.slots_at + layout["size_of_slots"]
        self.clock_after = {**self.clock, clock_at + layout["next_run"]: arm.next_run_after}
        lists = Lists(layout, self.slots_at, self.start.slots, self.start.timers)
        timer, nodes = self.timer, [self.timer]
        state = lists.field(timer, "slot")
        self.is_enabled = Extract(31, 24, state) != 0
        self.assumed = [arm.invariants, arm.contract, timer != 0]
        self.moves = self.is_enabled
        before = lists.field(timer, "prev")
        if pending:
            held_in = ZeroExt(16, Extract(15, 0, state))
            younger, oldest = lists.field(timer, "next"), lists.first(held_in)
            nodes += [before, younger, oldest]
            # I1, and the links of its list: only the youngest has no next, and the oldest's prev is the youngest.
            self.assumed += [before != 0, ULT(held_in, geometry.slot_count), oldest != 0,
                             lists.field(before, "next") == If(oldest == timer, number(0), timer),
                             Implies(younger != 0, lists.field(younger, "prev") == timer)]
            self.moves = And(self.is_enabled, lists.field(timer, "expires") != arm.expires)
            lists.remove(held_in, timer)
        else:
            self.assumed += [before == 0]
        oldest = lists.first(arm.slot)
        nodes += [oldest, lists.field(oldest, "prev")]
        self.assumed += [Or(oldest == 0, And(oldest != timer, nodes[-1] != timer, nodes[-1] != 0))]
        # Two timers are the same, or do not overlap.
        size = layout["size_of_timer"]
        self.assumed += [one & 3 == 0 for one in nodes]
        self.assumed += [Or(one == other, And(UGE(one - other, size), UGE(other - one, size)))
                         for index, one in enumerate(nodes) for other in nodes[:index]]
        lists.set_field(timer, "expires", arm.expires)
        lists.append(arm.slot, timer)
        self.lists = lists

    def claims(self, end):
        """What must hold where a path ends. Each may use those before."""
        yield "returns to its caller", end.at == self.start.registers[LR].term
        yield "accesses the wheel inside", And(True, *end.must_hold)
        held_in = Extract(15, 0, Select(end.timers, self.timer + self.layout["slot"]))
        yield "slot", Implies(self.moves, held_in == Extract(15, 0, self.arm.slot))
        yield "clock", And(*(end.clock[at] == If(self.moves, self.clock_after[at], value) for at, value in self.clock.items()))
        place = BitVec("place", 32)
        for title, after, meant, before in (("slots and marks", end.slots, self.lists.slots, self.start.slots),
                                            ("timers", end.timers, self.lists.timers, self.start.timers)):
            yield title, Select(after, place) == If(self.moves, Select(meant, place), Select(before, place))
        result = If(And(self.is_enabled, self.pending), number(1), number(0))
        yield "result", end.registers[0].term == result
        kept = [end.registers[n].term == self.start.registers[n].term for n in (*range(4, 12), SP)]
        yield "registers that a call keeps, and the mask", And(end.primask == self.start.primask, *kept)

    def judge(self, end):
        """How many claims hold where a path ends, and those that are refuted."""
        proved, known, refuted = 0, [], []
        for title, claim in self.claims(end):
            model = refutation(*self.assumed, *end.conditions, *known, Not(claim))
            if model is None:
                proved += 1
                known.append(claim)
                continue
            words = ("expires", "jiffies", "next_run", "tv1_end", "base")
            values = (model.eval(getattr(self.arm, word), True).as_long() for word in words)
            refuted.append(f"{title}: " + ", ".join(f"{word} {value:#x}" for word, value in zip(words, values)))
        return proved, refuted

    def paths(self, elf, changed=None):
        """The ends of all paths; with an instruction in place of another, of the paths through it."""
        instructions = {**elf.instructions, changed.address: changed} if changed else elf.instructions
        for end in Lifter(instructions, elf.constants, self.objects, self.assumed).paths(self.start):
            if changed is None or changed.address in end.executed:
                yield end

    def refute(self, elf, changed):
        """The first claim that is refuted with a changed instruction, or None."""
        try:
            return next((refuted[0] for end in self.paths(elf, changed) if (refuted := self.judge(end)[1])), None)
        except Refused as refused:
            return f"not lifted: {refused}"


# Wrong instructions in place of the first one that fits, in the path of an idle timer. Each must be refuted.
MUTANTS = (
    (r"cmp\.w\t(\w+), #256\b.*", r"cmp.w\t\1, #255"),
    (r"cmp\.w\t(\w+), #0\b.*", r"cmn.w\t\1, #1"),
    (r"str\tr1, \[(\w+), #4\]", r"nop"),
    (r"(.*), (lsr )?#14\b", r"\1, \2#15"),
    (r"ubfx\t(.*), #7, #7", r"ubfx\t\1, #8, #7"),
    (r"addgt\t(.*), #1", r"addgt\t\1, #2"),
    (r"movle\t(.*)", r"nop"),
    (r"str\.w\t(.*), #2376\].*", r"str.w\t\1, #2380]"),
    (r"mov\.w\t(.*), #2147483648\b.*", r"mov.w\t\1, #1073741824"),
    (r"cpsid\ti", "nop"),
)


def mutants(elf, executed):
    """Each: what it changes, and the instruction in its place."""
    for pattern, replacement in MUTANTS:
        for address in sorted(executed):
            one = elf.instructions[address]
            text, count = re.subn(pattern, replacement, one.text)
            if count:
                yield f"{address:x} {one.text} -> {text}".expandtabs(1), thumb.Instruction(address, one.next - address, text)
                break
        else:
            sys.exit(f"no instruction for the mutant {pattern}: choose another")


def on_all_cores(function, count):
    """What the function says of each number below `count`. A process inherits what the function refers to, because terms
    of the solver cannot be sent to it."""
    global inherited
    inherited = function
    with get_context("fork").Pool() as pool:
        return pool.map(call_inherited, range(count), 1)


def call_inherited(index):
    return inherited(index)


def prove(geometry, build, pending, with_mutants):
    """Returns how many proofs failed."""
    elf, layout = linked(build)
    proof = Proof(geometry, layout, symbols(elf.path), pending)
    ends = list(proof.paths(elf))
    judged = on_all_cores(lambda index: proof.judge(ends[index]), len(ends))
    refuted = [one for _, found in judged for one in found]
    print(f"{build.name}, {'a pending' if pending else 'an idle'} timer: {len(ends)} paths, "
          f"{sum(proved for proved, _ in judged)} claims proved, {len(refuted)} refuted", *refuted, sep="\n  ", flush=True)
    failed = len(refuted) + (ends == [])
    executed = frozenset().union(*(end.executed for end in ends))
    changes = list(mutants(elf, executed)) if with_mutants else []
    answers = on_all_cores(lambda index: proof.refute(elf, changes[index][1]), len(changes))
    for (what, _), answer in zip(changes, answers):
        print(f"  mutant {what}: {answer or 'PROVED'}", flush=True)
        failed += answer is None
    return failed


def main(words):
    by_name = {one.name: one for one in geometries()}
    m3 = Build("cortex-m3", "-O2")
    chosen = [(m3, False)]
    if words == ["--all"]:
        chosen += [(m3, True), *((Build(core, level), False) for core, level in
                                 (("cortex-m3", "-Os"), ("cortex-m0", "-O2"), ("cortex-m0", "-Os")))]
    failed = sum(prove(by_name[build.geometry], build, pending, (build, pending) == chosen[0]) for build, pending in chosen)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
