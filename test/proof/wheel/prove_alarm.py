#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Proves I11 of core/DESIGN.md, the rule of the alarm in one-shot mode: each section of one_shot.hpp keeps it, for a timer that
may be any timer. Ticks and counts are integers, because I9 keeps them near enough that 32 bits compare them rightly.

It takes for granted that the search finds no later tick than that of a timer which stays pending meanwhile, and what
port/README.md demands of a Counter."""
import sys
import time
from copy import copy
from types import SimpleNamespace

from z3 import And, Bool, BoolVal, If, Implies, Int, IntVal, Not, Or, Solver, sat, unsat

IS_DUE, NEVER, MIN_AHEAD, MAX_AHEAD = IntVal(-1 << 31), IntVal(1 << 62), Int("min_ahead"), Int("max_ahead")
# What is wrong in each, and must be refuted. Sections ask for it by these words.
VARIANTS = ("the counter is read before the write", "the write is trusted", "an arm pends nothing", "an arm does not compare",
            "an arm in a search is not noticed", "the search forgets the arms before its end", "the search wins over arms",
            "a budget pends nothing", "the start pends nothing", "ticks are counted outside of an interrupt")


def symbols():
    """The state while the lock is free. `alarm` is when the hardware is sure to interrupt, and `counted` the clock's jiffies."""
    return SimpleNamespace(**{name: Int(name) for name in ("now", "counted", "ahead", "alarm", "expires")},
                           **{name: Bool(name) for name in ("busy", "searching", "pended", "pending", "seen")})


def latest(s):
    """From `counted`, by when the timer needs an interrupt. A tick that is past counts as the next one."""
    return If(s.expires - s.counted > 1, s.expires - s.counted, 1)


def invariants(s):
    yield "an interrupt comes in time", Implies(Not(s.busy), Or(s.pended, s.alarm <= s.counted + s.ahead))
    yield "no timer is before the alarm", Implies(And(s.pending, Not(And(s.searching, s.seen))), s.ahead <= latest(s))
    yield "only interrupt() searches", Implies(s.searching, s.busy)
    yield "nothing is counted ahead", s.counted <= s.now
    yield "I11", Implies(And(s.pending, Not(s.busy)), Or(s.pended, s.alarm <= s.counted + latest(s)))


def set_alarm(s, wrong, given):
    """set_alarm(): an alarm that is set at least min_ahead counts ahead of the counter comes."""
    write, read = Int("write"), Int("read")
    given += [s.now <= write, s.now <= read, read <= write if wrong == "the counter is read before the write" else write <= read]
    at = s.counted + s.ahead
    s.pended = Or(s.pended, s.alarm <= write)
    s.alarm = If(at - write >= MIN_AHEAD, at, NEVER)
    s.now = If(read > write, read, write)
    sure = BoolVal(True) if wrong == "the write is trusted" else at - read >= MIN_AHEAD
    s.ahead = If(sure, s.ahead, IS_DUE)
    return sure


def choose(s, condition, other):
    for name, value in vars(other).items():
        setattr(s, name, If(condition, getattr(s, name), value))


def arm(s, wrong, given):
    """keep_alarm_before(), for this timer or for another one."""
    expires, is_this = Int("new_expires"), Bool("is_this")
    s.expires, s.pending = If(is_this, expires, s.expires), Or(is_this, s.pending)
    s.seen = And(s.seen, Not(is_this))
    before, delay = copy(s), expires - s.counted
    s.ahead = If(delay > 1, delay, 1)
    busy = copy(s)
    sure = set_alarm(s, wrong, given)
    s.pended = Or(s.pended, And(Not(sure), wrong != "an arm pends nothing"))
    choose(s, Not(s.busy), before if wrong == "an arm in a search is not noticed" else busy)
    choose(s, BoolVal(False) if wrong == "an arm does not compare" else delay < before.ahead, before)


def cancel(s, wrong, given):
    s.pending = And(s.pending, Not(Bool("is_this")))


def time_passes(s, wrong, given):
    later = Int("later")
    given.append(s.now <= later)
    s.pended, s.alarm, s.now = Or(s.pended, s.alarm <= later), If(s.alarm <= later, NEVER, s.alarm), later


def interrupt_begins(s, wrong, given):
    """The alarm's, or a call for nothing. If one is under way it only returns."""
    s.pended, s.ahead, s.busy = BoolVal(False), If(s.busy, s.ahead, IS_DUE), BoolVal(True)


def interrupt_counts(s, wrong, given):
    """advance(): as many ticks as the counter has passed. The run that follows only cancels, and its callbacks arm."""
    counted = Int("new_counted")
    given += [s.counted <= counted, counted <= s.now]
    given.append(Or(And(s.busy, s.ahead == IS_DUE, Not(s.searching)), wrong == "ticks are counted outside of an interrupt"))
    s.counted = counted


def search_begins(s, wrong, given):
    given += [s.busy, Not(s.searching)]
    s.ahead, s.searching, s.seen = MAX_AHEAD, BoolVal(True), s.pending


def search_ends(s, wrong, given):
    """set_next_alarm() after the search, and the end of serve(): an alarm, another pass, or an interrupt that is pended."""
    found, once = Int("found"), Bool("once")
    given += [s.searching, Implies(And(s.pending, s.seen), found <= latest(s))]
    ahead = MAX_AHEAD if wrong == "the search forgets the arms before its end" else s.ahead
    s.ahead = found if wrong == "the search wins over arms" else If(found < ahead, found, ahead)
    sure = set_alarm(s, wrong, given)
    s.pended = Or(s.pended, And(Not(sure), once, wrong != "a budget pends nothing"))
    s.searching, s.busy = BoolVal(False), And(Not(sure), Not(once))


def start(s, wrong, given):
    """start(): before it interrupt() only returns, as while one is under way."""
    given += [s.busy, Not(s.searching)]
    s.ahead, s.busy, s.pended = IS_DUE, BoolVal(False), Or(s.pended, wrong != "the start pends nothing")


SECTIONS = (arm, cancel, time_passes, interrupt_begins, interrupt_counts, search_begins, search_ends, start)


def prove(wrong=None):
    """How many claims are proved, and which are not."""
    proved, refuted = 0, []
    for section in SECTIONS:
        before = symbols()
        section(after := copy(before), wrong, given := [MIN_AHEAD >= 0, MAX_AHEAD > 0, before.ahead >= IS_DUE])
        solver = Solver()
        solver.add(*given, *(claim for _, claim in invariants(before)))
        if solver.check() != sat:
            refuted.append(f"{section.__name__}: no state allows it")
        for title, claim in invariants(after):
            answer = solver.check(Not(claim))
            proved += answer == unsat
            refuted += [] if answer == unsat else [f"{section.__name__}: {title}: {'refuted' if answer == sat else answer}"]
    return proved, refuted


def main():
    proved, wrong = prove()
    print(*wrong, f"the alarm: {proved} claims, {len(wrong)} wrong", "Wrong variants break:", sep="\n")
    for variant in VARIANTS:
        _, found = prove(variant)
        print(f"  {variant}: {found[0] if found else 'NOT REFUTED'}")
        wrong += [] if found and found[0].endswith(": refuted") else [variant]
    print(f"{time.process_time():.0f} s of processor")
    return wrong != [] or not proved


if __name__ == "__main__":
    sys.exit(main())
