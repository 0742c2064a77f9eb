#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Proves that the functions of slots.hpp keep each slot a list, in the order that wheel.py says, for any number of timers.

A timer and a slot are numbers, and each field is an array. `place` orders the timers of a slot; no code has it. Each invariant
is about one timer or two. So it is assumed for the few timers that a call reaches, and proved for any two, x and y."""
import sys
import time
from copy import copy
from itertools import product

from z3 import And, Array, BoolSort, Implies, Int, IntSort, Not, Or, SolverFor, Store, unsat

NULL = 0
# Each is left out of its function, and must be missed.
VARIANTS = ("append: oldest->prev", "append: mark", "prepend: oldest->prev", "detach_oldest: younger->prev",
            "unlink: follower->prev", "take_youngest: older->next", "move_lone: first", "move_lone: mark")


class Lists:
    """The links of all timers: x.next is next[x]. `left_out` names a store that a variant leaves out."""

    def __init__(self, left_out=None):
        for name in ("next", "prev", "slot", "first", "place", "marked", "linked"):
            setattr(self, name, Array(name, IntSort(), BoolSort() if name in ("marked", "linked") else IntSort()))
        self.left_out, self.path = left_out, []

    def copy(self, condition):
        made = copy(self)
        made.path = [*self.path, condition]
        return made

    def set(self, name, at, value, statement=None):
        if statement is None or statement != self.left_out:
            setattr(self, name, Store(getattr(self, name), at, value))

    # --- slots.hpp: each call yields the lists after each path

    def begin(self, slot, timer):
        self.set("prev", timer, timer)
        self.set("marked", slot, True, "append: mark")

    def append(self, slot, timer):
        oldest = self.first[slot]
        self.set("slot", timer, slot)
        self.set("linked", timer, True)
        alone, behind = self.copy(oldest == NULL), self.copy(oldest != NULL)
        alone.set("next", timer, NULL)
        alone.set("first", slot, timer)
        alone.begin(slot, timer)
        youngest = behind.prev[oldest]
        behind.set("place", timer, behind.place[youngest] + 1)
        behind.set("next", timer, NULL)
        behind.set("next", youngest, timer)
        behind.set("prev", timer, youngest)
        behind.set("prev", oldest, timer, "append: oldest->prev")
        return alone, behind

    def prepend(self, slot, timer):
        oldest = self.first[slot]
        self.set("slot", timer, slot)
        self.set("next", timer, oldest)
        self.set("first", slot, timer)
        self.set("linked", timer, True)
        alone, before = self.copy(oldest == NULL), self.copy(oldest != NULL)
        alone.begin(slot, timer)
        before.set("place", timer, before.place[oldest] - 1)
        before.set("prev", timer, before.prev[oldest])
        before.set("prev", oldest, timer, "prepend: oldest->prev")
        return alone, before

    def detach_oldest(self, slot):
        oldest = self.first[slot]
        younger = self.next[oldest]
        self.set("first", slot, younger)
        self.set("linked", oldest, False)
        last, more = self.copy(younger == NULL), self.copy(younger != NULL)
        more.set("prev", younger, more.prev[oldest], "detach_oldest: younger->prev")
        for one in (last, more):
            one.set("prev", oldest, NULL)
        return last, more

    def take_youngest(self, slot):
        oldest = self.first[slot]
        youngest = self.prev[oldest]
        older = self.prev[youngest]
        self.set("prev", oldest, older)
        self.set("next", older, NULL, "take_youngest: older->next")
        self.set("linked", youngest, False)
        alone, more = self.copy(youngest == oldest), self.copy(youngest != oldest)
        alone.set("first", slot, NULL)
        return alone, more

    def move_lone(self, slot, to, timer):
        self.set("first", slot, NULL, "move_lone: first")
        self.set("marked", slot, False)
        self.set("first", to, timer)
        self.set("marked", to, True, "move_lone: mark")
        self.set("slot", timer, to)
        return (self,)

    def unlink_for_requeue(self, timer):
        older, younger, slot = self.prev[timer], self.next[timer], self.slot[timer]
        self.set("linked", timer, False)
        was_oldest = self.next[older] == NULL
        alone, oldest = self.copy(And(was_oldest, younger == NULL)), self.copy(And(was_oldest, younger != NULL))
        youngest, between = self.copy(And(Not(was_oldest), younger == NULL)), self.copy(And(Not(was_oldest), younger != NULL))
        for one in (alone, oldest):
            one.set("first", slot, younger)
        alone.set("marked", slot, False)
        oldest.set("prev", younger, older)
        for one, follower in ((youngest, self.first[slot]), (between, younger)):
            one.set("next", older, younger)
            one.set("prev", follower, older, "unlink: follower->prev")
        return alone, oldest, youngest, between


def invariants(h, x, y):
    linked = And(x != NULL, h.linked[x])
    both = And(linked, y != NULL, h.linked[y], h.slot[x] == h.slot[y])
    slot = h.slot[x]
    oldest, after, before = h.first[slot], h.next[x], h.prev[x]
    yield "I1: pending is in a list", Implies(x != NULL, (h.prev[x] != NULL) == h.linked[x])
    yield "I2: its slot is marked", Implies(linked, h.marked[slot])
    yield "I1: its slot has an oldest", Implies(linked, And(oldest != NULL, h.linked[oldest], h.slot[oldest] == slot,
                                                            h.place[oldest] <= h.place[x]))
    yield "I1: next is in the list", Implies(And(linked, after != NULL), And(h.linked[after], h.slot[after] == slot,
                                                                             h.prev[after] == x, h.place[x] < h.place[after]))
    yield "I1: next is the next", Implies(And(both, after != NULL), Or(h.place[y] <= h.place[x], h.place[y] >= h.place[after]))
    yield "I1: without next it is the youngest", Implies(And(both, after == NULL), And(h.place[y] <= h.place[x],
                                                                                       h.prev[oldest] == x))
    yield "I1: prev is in the list", Implies(linked, And(before != NULL, h.linked[before], h.slot[before] == slot))
    yield "I1: prev of the oldest is the youngest", Implies(And(linked, x == oldest), h.next[before] == NULL)
    yield "I1: prev of the others is the next older", Implies(And(linked, x != oldest), h.next[before] == x)
    yield "I1: places differ", Implies(And(both, x != y), h.place[x] != h.place[y])


def head_invariant(h, slot):
    oldest = h.first[slot]
    return Implies(oldest != NULL, And(h.linked[oldest], h.slot[oldest] == slot))


def calls(left_out):
    """Each call of the wheel: what it assumes, the lists after a path, the timer that it is about, and what that becomes."""
    timer, slot, below = Int("timer"), Int("slot"), Int("below")
    h = Lists()
    idle, pending = And(timer != NULL, Not(h.linked[timer])), And(timer != NULL, h.linked[timer])
    oldest = h.first[slot]
    for after in Lists(left_out).append(slot, timer):
        yield "arm", idle, after, timer, "the youngest"
    for unlinked in Lists(left_out).unlink_for_requeue(timer):
        for after in unlinked.copy(True).append(slot, timer):
            yield "move", pending, after, timer, "the youngest"
        unlinked.set("prev", timer, NULL)
        yield "cancel", pending, unlinked, timer, "idle"
    for after in Lists(left_out).detach_oldest(slot):
        yield "fire", oldest != NULL, after, oldest, "idle, and was the oldest"
    is_lone = And(oldest != NULL, h.prev[oldest] == oldest, h.first[below] == NULL)
    for after in Lists(left_out).move_lone(slot, below, oldest):
        yield "jump", is_lone, after, oldest, "the youngest, and was the oldest"
    for taken in Lists(left_out).take_youngest(slot):
        for after in taken.prepend(below, h.prev[oldest]):
            yield "cascade", And(oldest != NULL, below != slot), after, h.prev[oldest], "the oldest, and was the youngest"


def order(before, after, actor, becomes, x, y):
    """What wheel.py says of the order."""
    other = And(x != actor, x != NULL)
    yield "no other timer moves", Implies(other, And(before.linked[x] == after.linked[x], before.slot[x] == after.slot[x],
                                                     before.place[x] == after.place[x]))
    is_beside = And(other, after.linked[x], after.slot[x] == after.slot[actor])
    was_beside = And(other, before.linked[x], before.slot[x] == before.slot[actor])
    claims = {"the youngest": Implies(is_beside, after.place[x] < after.place[actor]), "idle": Not(after.linked[actor]),
              "the oldest": Implies(is_beside, after.place[x] > after.place[actor]),
              "was the oldest": Implies(was_beside, before.place[x] > before.place[actor]),
              "was the youngest": Implies(was_beside, before.place[x] < before.place[actor])}
    yield from ((f"it is {title}", claims[title]) for title in becomes.split(", and "))


def prove(left_out=None):
    """How many claims are proved, and which are not. Of a variant it stops at the first."""
    h = Lists()
    timer, slot, below, x, y, other = (Int(name) for name in ("timer", "slot", "below", "x", "y", "other"))
    oldest = h.first[slot]
    reached = [x, y, timer, oldest, h.first[below], h.prev[oldest], h.prev[h.first[below]], h.next[oldest],
               h.prev[h.prev[oldest]], h.next[timer], h.prev[timer], h.first[h.slot[timer]]]
    pairs = product(reached, (x, y, timer, h.prev[oldest], h.prev[timer]))
    assumed = [claim for pair in pairs for _, claim in invariants(h, *pair)]
    assumed += [head_invariant(h, one) for one in (slot, below, other, h.slot[x], h.slot[timer])]
    proved, wrong = 0, []
    for name, condition, after, actor, becomes in calls(left_out):
        solver = SolverFor("QF_AUFLIA")
        solver.set("timeout", 60_000)
        solver.add(*assumed, condition, *after.path)
        if solver.check() == unsat:
            wrong.append(f"{name}: no lists allow {after.path}")
        claims = [*invariants(after, x, y), ("a head is in its slot", head_invariant(after, other)),
                  *order(h, after, actor, becomes, x, y)]
        for title, claim in claims:
            solver.push()
            solver.add(Not(claim))
            answer = solver.check()
            solver.pop()
            proved += answer == unsat
            if answer != unsat:
                wrong.append(f"{name}: {title}: {'refuted' if str(answer) == 'sat' else 'the solver cannot tell'}")
                if left_out:
                    return proved, wrong
    return proved, wrong


def main():
    proved, wrong = prove()
    print(*wrong, f"the lists: {proved} claims, {len(wrong)} wrong", "Wrong variants leave out, and break:", sep="\n")
    for variant in VARIANTS:
        _, found = prove(variant)
        print(f"  {variant}: {found[0] if found else 'NOT REFUTED'}")
        wrong += [] if found and found[0].endswith("refuted") else [variant]
    print(f"{time.process_time():.0f} s of processor")
    return wrong != [] or not proved


if __name__ == "__main__":
    sys.exit(main())
