# SPDX-License-Identifier: MIT
"""What wheel.py is written in: the state of a wheel with two named timers, and the paths through a section of the code.

A section is what the core does from one opening of the lock to the next. wheel.py writes it as a function that changes the
state in place, as the C++ does. Where the C++ has an `if`, it asks when(). The section is then run once for each list of
answers, as test/races/interleavings runs a call once for each list of choices. A path is one such run: what it has assumed,
the state at its end, and the claims on the way."""
import sys
from copy import copy

from z3 import (And, BitVec, BitVecSort, BitVecVal, Bool, BoolSort, BoolVal, Concat, Extract, FreshConst, If, Implies, Not,
                SignExt, Then, UGE, ULE, ULT, ZeroExt, is_false, is_true, simplify)

# A tick is a distance from next_block, in a number that does not wrap: 34 bits hold every tick that any invariant names.
WIDE = 34
# By contract. A delay has the same limit.
MAX_LAG = (1 << 31) - 1


def solver():
    # A fifth of the time of SolverFor("QF_BV"), for the longest path of an arm.
    found = Then("simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "ackermannize_bv", "simplify", "max-bv-sharing",
                 "bit-blast", "sat").solver()
    found.set("timeout", 300_000)
    return found


def low(distance):
    return Extract(31, 0, distance)


def signed(word):
    return SignExt(WIDE - 32, word)


def wide(word, bits=WIDE):
    return ZeroExt(bits - word.size(), word)


def number(value, bits=WIDE):
    return BitVecVal(value, bits)


def fresh(name, bits):
    return FreshConst(BitVecSort(bits), name)


class Timer:
    """`marked` is the mark of its slot. `fires` is the tick in which the specification lets it fire; no code has it."""

    def __init__(self, name):
        self.name = name
        self.pending, self.marked = Bool(f"pending_{name}"), Bool(f"marked_{name}")
        self.expires, self.fires = BitVec(f"expires_{name}", 32), BitVec(f"fires_{name}", WIDE)
        self.slot = BitVec(f"slot_{name}", 10)


# Any timer that is neither A nor B. What a section does to it, is what it does to A where A is that timer.
OTHER = None


class Wheel:
    """The state, in any of the places where the lock is open. All ticks are distances from next_block. `era` is the upper
    half of the 64-bit tick of next_block; no code has it. `a_is_before_b` in their list, if they share one, and
    `a_was_armed_first` in its last arm. Then the runner's local variables: the tick of run_tick() or update_next_run(),
    the steps that are left, and in a cascade those of cascade_block() and its level."""

    def __init__(self, geometry, at, answers=(), arms_running_tick=False):
        self.geometry, self.at, self.arms_running_tick = geometry, at, arms_running_tick
        bits = geometry.block_size.bit_length() - 1
        self.next_block = Concat(BitVec("block", 32 - bits), BitVecVal(0, bits))
        self.era, self.jiffies_halves = BitVec("era", 32), BitVec("jiffies_halves", 32)
        self.jiffies, self.next_run, self.tv1_limit = (BitVec(name, WIDE) for name in ("jiffies", "next_run", "tv1_limit"))
        self.cascade_unfinished, self.slots_changed = Bool("cascade_unfinished"), Bool("slots_changed")
        self.a, self.b = Timer("A"), Timer("B")
        self.a_is_before_b, self.a_was_armed_first = Bool("a_is_before_b"), Bool("a_was_armed_first")
        self.tick = BitVec("tick", WIDE)
        self.steps, self.left, self.level = BitVec("steps", 32), BitVec("left", 32), BitVec("level", 3)
        self.answers, self.asked, self.known, self.words = answers, [], [], []
        self.assumed, self.claims = [], []
        # Whether A has the only mark.
        self.only_a = False

    @property
    def timers(self):
        return self.a, self.b

    def word(self, tick):
        return self.next_block + low(tick)

    def due(self):
        return self.word(self.jiffies) - self.word(self.next_run) >= 0

    def time_of_block(self):
        """next_block in 64 bits."""
        return Concat(self.era, self.next_block)

    def exchanged(self):
        """The same state, where A and B have changed their names."""
        other = copy(self)
        other.a, other.b = self.b, self.a
        other.a_is_before_b, other.a_was_armed_first = Not(self.a_is_before_b), Not(self.a_was_armed_first)
        return other

    # --- A path

    def given(self, *conditions):
        self.assumed += conditions

    def claim(self, title, condition):
        self.claims.append((title, condition))

    @staticmethod
    def line():
        """The line of the model."""
        frame = sys._getframe(2)
        while frame.f_code.co_filename.endswith("sections.py"):
            frame = frame.f_back
        return frame.f_lineno

    def answer(self, one, other):
        """Prescribed, or True. Each `one` and `other` is what is assumed then."""
        place = len(self.asked)
        answer = self.answers[place] if place < len(self.answers) else True
        self.asked.append((self.line(), answer))
        self.assumed.append(one if answer else other)
        return answer

    def when(self, condition):
        known = simplify(condition) if condition.__class__ is not bool else BoolVal(condition)
        if is_true(known) or is_false(known):
            self.known.append((self.line(), is_true(known)))
            return is_true(known)
        return self.answer(condition, Not(condition))

    def either(self, one, other):
        """Both may be."""
        answer = self.answer(BoolVal(True), BoolVal(True))
        self.words += [word for word in (one if answer else other,) if word]
        return answer

    def open(self, place):
        """The lock opens here, and the section ends."""
        self.at = place

    # --- Lists. What each function of slots.hpp does to A and B; lists.py proves that it does

    def lies_in(self, timer, slot):
        return And(timer.pending, timer.slot == slot)

    def is_empty(self, slot):
        return self.answer(And(*(Not(self.lies_in(timer, slot)) for timer in self.timers)), BoolVal(True))

    def is_marked(self, slot):
        """What is known of a mark: that of a slot that has A or B."""
        mark = FreshConst(BoolSort(), "mark")
        self.given(*(Implies(self.lies_in(timer, slot), mark == timer.marked) for timer in self.timers))
        return self.when(mark)

    def set_mark(self, slot, value, condition=True):
        for timer in self.timers:
            timer.marked = If(And(condition, timer.slot == slot), BoolVal(value), timer.marked)

    def actor(self):
        """A, or any timer but A and B. The invariants are the same where A and B change their names, so B need not act."""
        return self.a if self.either("A", "another timer") else OTHER

    def pick(self, slot, is_first):
        """The oldest or the youngest timer of a slot that is not empty."""
        timer = self.actor()
        if timer:
            self.given(self.lies_in(self.a, slot), Implies(self.lies_in(self.b, slot), is_first))
        return timer

    def oldest(self, slot):
        return self.pick(slot, self.a_is_before_b)

    def youngest(self, slot):
        return self.pick(slot, Not(self.a_is_before_b))

    def unlink(self, timer):
        """Clears the mark of the slot if that is empty then."""
        slot = timer.slot if timer else fresh("slot", 10)
        emptied = FreshConst(BoolSort(), "emptied")
        self.given(*(Implies(emptied, Not(self.lies_in(one, slot))) for one in self.timers if one is not timer))
        self.set_mark(slot, False, emptied)
        self.take(timer)

    def take(self, timer):
        """As unlink(), but leaves the mark."""
        if timer:
            timer.pending = BoolVal(False)
        self.slots_changed = BoolVal(True)

    def append(self, slot, timer):
        self.link(slot, timer, False)

    def prepend(self, slot, timer):
        self.link(slot, timer, True)

    def link(self, slot, timer, at_front):
        self.set_mark(slot, True)
        self.slots_changed = BoolVal(True)
        if timer:
            timer.pending, timer.slot, timer.marked = BoolVal(True), slot, BoolVal(True)
            self.a_is_before_b = BoolVal(at_front)

    def move_lone(self, slot, to, timer):
        self.set_mark(slot, False)
        self.link(to, timer, False)

    # --- Searches of marks. words.py proves what is assumed here

    def first_mark(self, tick, end):
        """The first marked tick of a word of tv1 from `tick` on; `end`, the first after the word, if there is none."""
        found = fresh("found", WIDE)
        self.given(tick <= found, found <= end)
        for timer in self.timers:
            at = tick + wide(timer.slot) - wide(self.geometry.tv1_slot(self.word(tick)))
            self.given(Implies(And(timer.pending, timer.marked, ULT(timer.slot, self.geometry.tvr_size), at >= tick, at < end),
                               found <= at))
        return found

    def steps_to_next_mark(self, first, size, index):
        """At most the steps to the slot of A, and to that of B; 0 only if the level has neither."""
        found = fresh("steps", 32)
        self.given(ULE(found, size))
        for timer in self.timers:
            steps = ((wide(timer.slot, 32) - first - index - 1) & (size - 1)) + 1
            inside = And(UGE(timer.slot, first), ULT(timer.slot, first + size))
            self.given(Implies(And(timer.pending, timer.marked, inside), And(found != 0, ULE(found, steps))))
            if self.only_a and timer is self.a:
                self.given(found == If(inside, steps, number(0, 32)))
        return found


def paths(section, *arguments, of=Wheel, **options):
    """Runs a section once for each list of answers."""
    answers = []
    while answers is not None:
        wheel = of(*arguments, answers=answers, **options)
        section(wheel)
        yield wheel
        given = [answer for _, answer in wheel.asked]
        while given and not given[-1]:
            given.pop()
        answers = given[:-1] + [False] if given else None
