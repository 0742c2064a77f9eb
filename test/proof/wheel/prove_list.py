#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Proves of ordered_list.py what prove_wheel.py does of the wheel; and of a ring of any number of timers, that the search of an
arm finds the place that this model assumes."""
import sys
import time
from itertools import product
from pathlib import Path

import ordered_list
import theorems
import wheel
from prove_lists import Lists
from prove_wheel import answer_of, exchange
from sections import number, paths, wide
from wheel import BETWEEN_RUNS, CALLBACK
from wrong import Variant, changed
from z3 import (And, Array, BoolSort, BoolVal, Extract, If, Implies, Int, IntSort, LShR, Not, Or, RealSort, SolverFor, sat,
                unsat)

THEOREMS = [one for one in theorems.THEOREMS if one != theorems.EVENT_OF_ONE] + [ordered_list.EVENT_EXACT]
VARIANTS = [Variant(*one) for one in (
    ("an arm keeps next_run", BETWEEN_RUNS, "arm", "w.next_run = w.jiffies + signed(expires - now)", "pass", "L2: no timer"),
    ("a late timer has no mark", BETWEEN_RUNS, "arm", "slot = late(expires)", "pass", "L3"),
    ("a late timer waits for the next tick", BETWEEN_RUNS, "arm", "If(next_delay > 0, number(1, 32), next_delay)",
     "number(1, 32)", "a timer fires"),
    ("a repeated arm does nothing at any time", BETWEEN_RUNS, "arm", "<= 1 << 31)", "<= 3 << 31)", "an arm may do nothing"),
    ("an arm sorts by a sign", BETWEEN_RUNS, "append", "UGT(distance(w.b, origin), fires)", "distance(w.b, origin) - fires > 0",
     "L1"),
    ("an arm goes before its equals", BETWEEN_RUNS, "append", "UGT(distance(w.b, origin), fires)",
     "Not(ULT(distance(w.b, origin), fires))", "L1"),
    ("distances begin at next_run", CALLBACK, "append", "origin = w.word(w.next_run) - 1", "origin = w.word(w.next_run)",
     "a distance"),
    ("a run passes the end of a quarter", BETWEEN_RUNS, "run_budget", "If(ULT(ticks, ahead), ticks, ahead)", "ticks", "L2"),
    ("a quarter is not counted", BETWEEN_RUNS, "run_budget", "w.jiffies_quarters = w.jiffies_quarters + 1", "pass", "L4"),
    ("a run leaves next_run at its tick", BETWEEN_RUNS, "run_budget", "w.next_run = w.tick + 1", "pass", "L2: the tick"),
    ("a budget loses its tick", CALLBACK, "take_first", "if w.when(w.steps < 0):\n",
     "if w.when(w.steps < 0):\n        w.next_run += 1\n", "L2: no timer"),
    ("a callback spends no step", CALLBACK, "take_first", "w.steps = w.steps - 1", "pass", "each section of a run"),
    ("next_event answers a tick late", BETWEEN_RUNS, "next_event", "answer = origin + wide", "answer = w.next_run + wide",
     "next_event()"))]
# What the ring leaves out, and must be missed.
RING_VARIANTS = ("timer->prev", "timer->next", "before->next", "after->prev", "unlink: before->next", "unlink: after->prev",
                 "ends.expires", "a search that ends at equals")
SOURCE = Path(ordered_list.__file__).read_text()


def start(w):
    """list_clock::at() for any tick, with no timer."""
    w.given(w.jiffies >= -ordered_list.TICKS - 1, w.jiffies < -1)
    first, mask = w.word(w.jiffies), number(ordered_list.TICKS - 1, 32)
    w.era = Extract(63, 32, wide(first, 64) + wide(-w.jiffies, 64))
    w.claim("the first quarter ends", w.next_block == ((first + 1) | mask) + 1)
    w.next_run = number(0)
    w.jiffies_quarters = LShR(first, 30) + If(first & mask == mask, number(1, 32), number(0, 32))
    w.a.pending = w.b.pending = BoolVal(False)


def sections(model):
    """Place, section, and TICKWHEEL_ARM_RUNNING_TICK."""
    yield BETWEEN_RUNS, start, False
    for place in (BETWEEN_RUNS, CALLBACK):
        for section in (model.arm, model.append, model.cancel, exchange, wheel.count, model.next_event):
            yield place, section, False
    yield CALLBACK, model.arm, True
    yield BETWEEN_RUNS, model.run_budget, False
    yield CALLBACK, model.take_first, False
    yield model.QUARTER, model.take_first, False


def prove(model, place, section, arms_running_tick, reached, asked, breaks=None):
    """How many claims there are, and which are wrong. Each is proved with those before it. Of a variant it stops at the first
    of this title."""
    claimed, wrong = 0, []
    before = model.List(place)
    before.searches = section is model.append
    assumed = [] if section is start else [claim for _, claim in model.invariants(before)]
    for w in paths(section, place, arms_running_tick=arms_running_tick, of=model.List):
        asked.update(line for line, _ in w.asked)
        known = assumed + w.assumed
        if answer_of(*known)[0] == unsat:
            continue
        reached.update(w.asked + w.known)
        if place != BETWEEN_RUNS != w.at and section is model.take_first:
            w.claim(theorems.ENDS, w.steps < before.steps)
        for title, claim in [*w.claims, *model.invariants(w)]:
            claimed += 1
            if any(claim.eq(one) for one in known) or breaks and not title.startswith(breaks):
                continue
            if answer_of(*known, Not(claim))[0] != unsat:
                wrong.append(f"{place}, {section.__name__}: {title}: refuted")
                if breaks:
                    return claimed, wrong
            known.append(claim)
    return claimed, wrong


# --- The ring. A timer is a number, and each field an array. `place` orders the timers; no code has it. `key` is the distance.

NULL, ENDS = -1, 0


class Ring:
    def __init__(self, left_out=None):
        self.next, self.prev, self.key = (Array(name, IntSort(), IntSort()) for name in ("next", "prev", "key"))
        self.place, self.linked = Array("place", IntSort(), RealSort()), Array("linked", IntSort(), BoolSort())
        # A timer that moves is unlinked, and its `prev` is not null.
        self.moves, self.left_out = Int("moves"), left_out

    set = Lists.set

    def append(self, timer, before):
        """Behind the timer at which the search has ended, which is `ends` if it has passed all."""
        after = self.next[before]
        between = If(before == ENDS, If(after == ENDS, 0, self.place[after] - 1),
                     If(after == ENDS, self.place[before] + 1, (self.place[before] + self.place[after]) / 2))
        self.set("place", timer, between)
        self.set("linked", timer, BoolVal(True))
        self.set("prev", timer, before, "timer->prev")
        self.set("next", timer, after, "timer->next")
        self.set("next", before, timer, "before->next")
        self.set("prev", after, timer, "after->prev")
        self.moves = NULL

    def unlink_for_requeue(self, timer):
        before, after = self.prev[timer], self.next[timer]
        self.set("next", before, after, "unlink: before->next")
        self.set("prev", after, before, "unlink: after->prev")
        self.set("linked", timer, BoolVal(False))
        self.moves = timer

    def detach(self, timer):
        self.unlink_for_requeue(timer)
        self.set("prev", timer, NULL)
        self.moves = NULL


def ring_invariants(h, x, y):
    """Of `ends`, and of any two timers."""
    def is_linked(one):
        return And(one > ENDS, h.linked[one])

    first, last, after, before = h.next[ENDS], h.prev[ENDS], h.next[x], h.prev[x]
    both = And(is_linked(x), is_linked(y))
    yield "the ends of the ring", Or(And(first == ENDS, last == ENDS), And(
        is_linked(first), is_linked(last), h.prev[first] == ENDS, h.next[last] == ENDS))
    yield "no timer is outside of the ends", Implies(is_linked(x), And(
        first != ENDS, h.place[first] <= h.place[x], h.place[x] <= h.place[last]))
    yield "pending is in the ring", Implies(And(x > ENDS, x != h.moves), (h.prev[x] != NULL) == h.linked[x])
    yield "next", Implies(is_linked(x), And(h.prev[after] == x, Or(after == ENDS, And(
        is_linked(after), h.place[x] < h.place[after]))))
    yield "prev", Implies(is_linked(x), And(h.next[before] == x, Or(before == ENDS, And(
        is_linked(before), h.place[before] < h.place[x]))))
    yield "nothing is between", Implies(both, Or(h.place[y] <= h.place[x], And(after != ENDS, h.place[y] >= h.place[after])))
    yield "places differ", Implies(And(both, x != y), h.place[x] != h.place[y])
    yield "L1: the ring is in order", Implies(And(both, h.place[x] < h.place[y]), h.key[x] <= h.key[y])


def ring_claims(left_out):
    """What is assumed, and what is claimed then."""
    timer, before, x, y = (Int(name) for name in ("timer", "before", "x", "y"))
    h = Ring()
    reached = (x, y, timer, before, h.prev[before], h.next[before], h.prev[timer], h.next[timer], h.next[ENDS], h.prev[ENDS])
    assumed = [claim for one in reached for other in (x, y, timer, before, h.prev[before])
               for _, claim in ring_invariants(h, one, other)]
    idle = [*assumed, timer > ENDS, Not(h.linked[timer]), Or(h.moves == NULL, h.moves == timer)]
    pending = [*assumed, h.moves == NULL, timer > ENDS, h.linked[timer]]
    if left_out != "ends.expires":
        idle.append(h.key[ENDS] == h.key[timer])
    passes = h.key[before] >= h.key[timer] if left_out == RING_VARIANTS[-1] else h.key[before] > h.key[timer]

    def has_passed(at, *timers):
        """The loop's invariant: it is in the ring, and these fire later if they are behind it."""
        return And(at >= ENDS, Or(at == ENDS, h.linked[at]), *(Implies(
            And(one > ENDS, h.linked[one], Or(at == ENDS, h.place[one] > h.place[at])), h.key[one] > h.key[timer])
            for one in timers))

    yield "the search begins", idle, has_passed(h.prev[ENDS], x)
    yield "the search goes on", [*idle, has_passed(before, x), passes], And(before != ENDS, has_passed(h.prev[before], x))
    armed, cancelled, unlinked = (Ring(left_out) for _ in range(3))
    armed.append(timer, before)
    cancelled.detach(timer)
    unlinked.unlink_for_requeue(timer)
    found = [*idle, has_passed(before, x, y, h.next[before]), Not(passes)]
    for name, given, after in (("arm", found, armed), ("cancel", pending, cancelled), ("move", pending, unlinked)):
        for title, claim in ring_invariants(after, x, y):
            yield f"{name}: {title}", given, claim
        stays = And(after.linked[x] == h.linked[x], after.place[x] == h.place[x])
        yield f"{name}: no other timer moves", given, Implies(And(x > ENDS, x != timer), stays)
        yield f"{name}: whether it is linked", given, after.linked[timer] == (after is armed)
    yield "arm: it is behind all of its tick or before", found, Implies(
        And(x > ENDS, h.linked[x]), (armed.place[x] < armed.place[timer]) == (h.key[x] <= h.key[timer]))


def prove_ring(left_out=None):
    proved, wrong = 0, []
    for title, assumed, claim in ring_claims(left_out):
        one = SolverFor("QF_AUFLIRA")
        one.set("timeout", 60_000)
        one.add(*assumed)
        possible = one.check()
        one.add(Not(claim))
        answer = one.check()
        proved += possible == sat and answer == unsat
        if answer != unsat or possible != sat:
            wrong.append(f"{title}: {'refuted' if answer == sat else 'the solver cannot tell'}")
            if left_out:
                break
    return proved, wrong


def main():
    reached, asked, claimed, wrong = set(), set(), 0, []
    for place, section, arms_running_tick in sections(ordered_list):
        found, broken = prove(ordered_list, place, section, arms_running_tick, reached, asked)
        claimed, wrong = claimed + found, wrong + broken
    lines = SOURCE.splitlines()
    for line, answer in product(sorted(asked), (True, False)):
        text = lines[line - 1].strip()
        # The section that is wheel.py's has lines of that file.
        if (line, answer) not in reached and ("when(" in text or "either(" in text):
            wrong.append(f"no state allows '{text}' to be {answer}")
    of_ring, broken = prove_ring()
    wrong += broken
    print(*wrong, f"the list: {claimed} claims, its ring: {of_ring}, {len(wrong)} wrong", sep="\n")
    print(*(f"proved of a list: {title}" for title in THEOREMS if not wrong), sep="\n")
    print("Wrong variants, and what each breaks:")
    found = []
    for one in VARIANTS:
        model = changed(one, SOURCE)
        found.append((one.name, prove(model, one.place, getattr(model, one.section), False, set(), set(), one.breaks)[1]))
    found += [(f"the ring without {one}", prove_ring(one)[1]) for one in RING_VARIANTS]
    for name, broken in found:
        print(f"  {name}: {broken[0] if broken else 'NOT REFUTED'}")
        wrong += [] if broken and broken[0].endswith("refuted") else [name]
    print(f"{time.process_time():.0f} s of processor")
    return wrong != [] or not claimed or not of_ring


if __name__ == "__main__":
    sys.exit(main())
