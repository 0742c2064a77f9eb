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

NO_ALARM_NEEDED, NEVER, MIN_AHEAD, MAX_AHEAD = IntVal(-1 << 31), IntVal(1 << 62), Int("min_ahead"), Int("max_ahead")
# What is wrong in each, and must be refuted. Sections ask for it by these words.
VARIANTS = ("the counter is read before the write", "the write is trusted", "an arm pends nothing", "an arm does not compare",
            "an arm compares only with the lock open", "an arm in a search is not noticed",
            "the search forgets the arms before its end", "the search wins over arms", "a budget pends nothing",
            "the start pends nothing", "ticks are counted outside of an interrupt")


def symbols():
    """The state while the lock is free. `alarm` is when the hardware is sure to interrupt, and `counted` the clock's jiffies.
    While `arming`, an arm has linked the timer, and arm_ends() and interrupt() have not looked yet."""
    return SimpleNamespace(**{name: Int(name) for name in ("now", "counted", "ahead", "alarm", "expires")},
                           **{name: Bool(name) for name in ("busy", "searching", "pended", "pending", "seen", "arming")})


def latest(s):
    """From `counted`, by when the timer needs an interrupt. A tick that is past counts as the next one."""
    return If(s.expires - s.counted > 1, s.expires - s.counted, 1)


def invariants(s):
    yield "an interrupt comes in time", Implies(Not(s.busy), Or(s.pended, s.alarm <= s.counted + s.ahead))
    looked = And(s.pending, Not(s.arming))
    yield "no timer is before the alarm", Implies(And(looked, Not(And(s.searching, s.seen))), s.ahead <= latest(s))
    yield "only interrupt() searches", Implies(s.searching, s.busy)
    yield "nothing is counted ahead", s.counted <= s.now
    yield "I11", Implies(And(looked, Not(s.busy)), Or(s.pended, s.alarm <= s.counted + latest(s)))


def set_alarm(s, wrong, given):
    """set_alarm(): an alarm that is set at least min_ahead counts ahead of the counter comes."""
    write, read = Int("write"), Int("read")
    given += [s.now <= write, s.now <= read, read <= write if wrong == "the counter is read before the write" else write <= read]
    at = s.counted + s.ahead
    s.pended = Or(s.pended, s.alarm <= write)
    s.alarm = If(at - write >= MIN_AHEAD, at, NEVER)
    s.now = If(read > write, read, write)
    return BoolVal(True) if wrong == "the write is trusted" else at - read >= MIN_AHEAD


def choose(s, condition, other):
    for name, value in vars(other).items():
        setattr(s, name, If(condition, getattr(s, name), value))


def arm_links(s, wrong, given):
    s.expires, s.pending, s.seen, s.arming = Int("new_expires"), BoolVal(True), BoolVal(False), BoolVal(True)


def arm_ends(s, wrong, given):
    """arm_ends() of this timer, or of another one, which may have compared with an older clock."""
    is_this, moves, before = Bool("is_this"), Bool("moves"), copy(s)
    given.append(Implies(is_this, And(s.arming, moves == (s.expires - s.counted < s.ahead))))
    s.arming = And(s.arming, Not(is_this))
    stays, delay = copy(s), If(is_this, s.expires, Int("other")) - s.counted
    s.ahead = If(delay > 1, delay, 1)
    busy = copy(s)
    sure = set_alarm(s, wrong, given)
    s.pended = Or(s.pended, And(Not(sure), wrong != "an arm pends nothing"))
    choose(s, Not(s.busy), stays if wrong == "an arm in a search is not noticed" else busy)
    before_alarm = Or(delay < before.ahead, wrong == "an arm compares only with the lock open")
    choose(s, BoolVal(False) if wrong == "an arm does not compare" else And(moves, before_alarm), stays)


def cancel(s, wrong, given):
    s.pending = And(s.pending, Not(Bool("is_this")))


def time_passes(s, wrong, given):
    later = Int("later")
    given.append(s.now <= later)
    s.pended, s.alarm, s.now = Or(s.pended, s.alarm <= later), If(s.alarm <= later, NEVER, s.alarm), later


def interrupt_begins(s, wrong, given):
    """The alarm's, or a call for nothing. If one is under way it only returns."""
    s.pended, s.ahead, s.busy = BoolVal(False), If(s.busy, s.ahead, NO_ALARM_NEEDED), BoolVal(True)


def interrupt_counts(s, wrong, given):
    """advance(): as many ticks as the counter has passed. The run that follows only cancels, and its callbacks arm."""
    counted = Int("new_counted")
    given += [s.counted <= counted, counted <= s.now]
    inside = And(s.busy, s.ahead == NO_ALARM_NEEDED, Not(s.searching))
    given.append(Or(inside, wrong == "ticks are counted outside of an interrupt"))
    s.counted, s.arming = counted, BoolVal(False)


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
    s.ahead = If(s.busy, NO_ALARM_NEEDED, s.ahead)


def start(s, wrong, given):
    """start(): before it interrupt() only returns, as while one is under way."""
    given += [s.busy, Not(s.searching)]
    s.ahead, s.busy, s.pended = NO_ALARM_NEEDED, BoolVal(False), Or(s.pended, wrong != "the start pends nothing")


SECTIONS = (arm_links, arm_ends, cancel, time_passes, interrupt_begins, interrupt_counts, search_begins, search_ends, start)


def prove(wrong=None):
    """How many claims are proved, and which are not."""
    proved, refuted = 0, []
    for section in SECTIONS:
        before = symbols()
        section(after := copy(before), wrong, given := [MIN_AHEAD >= 0, MAX_AHEAD > 0, before.ahead >= NO_ALARM_NEEDED])
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
