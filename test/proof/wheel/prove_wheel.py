#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Proves that each section of wheel.py keeps the invariants, and what a timer may expect. README.md explains the idea.

Usage: prove_wheel.py [GEOMETRY].., as 86; all: every legal one. Without one: 86, and wrong variants of it."""
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from pathlib import Path
from types import SimpleNamespace

import invariants
import theorems
import wheel
from levels import Geometry, geometries
from sections import Wheel, number, paths, solver, wide
from wrong import VARIANTS, changed
from z3 import And, BitVec, BitVecVal, BoolVal, Concat, Extract, Implies, LShR, Not, Or, ULT, is_true, unknown, unsat

# Some sections are the same wherever the lock is open, or in both places where marks are searched. An arm is another where
# TICKWHEEL_ARM_RUNNING_TICK is 1, and only in a callback.
ANYWHERE, SEARCHES, RUNNING = "anywhere", "before a search of marks", "callback, TICKWHEEL_ARM_RUNNING_TICK=1"
PLACES = {**{one: (one,) for one in wheel.PLACES}, ANYWHERE: wheel.PLACES, SEARCHES: (wheel.BETWEEN_RUNS, wheel.JUMP),
          RUNNING: (wheel.CALLBACK,)}
# About a second of the solver's work, in its own count.
A_SECOND = 3_000_000
# In this order a run passes them while it finishes a tick.
PHASES = (wheel.CALLBACK, wheel.REST, wheel.BLOCK_ENDS, wheel.JUMP, wheel.JUMPED, wheel.NOT_JUMPED, wheel.SEARCH, wheel.AHEAD,
          wheel.NEXT_TICK)


def measure(w):
    """What each section of a run lowers: the steps left, then the phase, then what is left of it."""
    inner = Concat(w.left, ~w.level) if w.at in (wheel.AHEAD, wheel.REST) else BitVecVal(0, 35)
    return Concat(w.steps, BitVecVal(len(PHASES) - PHASES.index(w.at), 4), inner)


def exchange(w):
    w.__dict__.update(w.exchanged().__dict__)


def start(w):
    """wheel_clock::at() for any tick, with no timer."""
    w.given(w.jiffies >= -w.geometry.block_size - 1, w.jiffies < -1)
    first = w.word(w.jiffies)
    w.era = Extract(63, 32, wide(first, 64) + wide(-w.jiffies, 64))
    w.next_run, w.tv1_limit, w.cascade_unfinished = number(-1), number(w.geometry.block_size), BoolVal(False)
    w.jiffies_halves = LShR(first, 31) + LShR(first ^ (first + 1), 31)
    for timer in w.timers:
        timer.pending = BoolVal(False)


def sections_of(model, place):
    if place == ANYWHERE:
        yield from (model.arm, model.cancel, exchange)
    elif place == SEARCHES:
        yield from (model.find, model.find_the_only_timer)
    elif place == RUNNING:
        yield model.arm
    else:
        yield from (model.count, model.next_event, model.RUNNER[place])
    if place == wheel.BETWEEN_RUNS:
        yield start


def invariants_of(w):
    """Where the lock may be open in several places, those of each, if it is open in that one."""
    at, found = BitVec("place", 4), {}
    places = PLACES[w.at]
    for index, place in enumerate(places):
        here = copy(w)
        here.at = place
        for title, claim in invariants.of_wheel(here):
            found.setdefault((title, claim.get_id()), (title, claim, []))[2].append(at == index)
    yield from ((title, claim if len(ats) == len(places) else Implies(Or(*ats), claim)) for title, claim, ats in found.values())
    if len(places) > 1:
        yield "the lock is open in one of the places", Or(*(at == index for index in range(len(places))))


def answer_of(*conditions, effort=0):
    """Where it is limited to an effort, the answer may be `unknown`."""
    one = solver()
    one.set("rlimit", effort)
    one.add(*conditions)
    answer = one.check()
    if answer == unknown and not effort:
        raise TimeoutError(f"the solver cannot tell: {one.reason_unknown()}")
    return answer, one


def prove_path(w, before, result):
    assumed = [claim for _, claim in before] + w.assumed
    if not {*w.asked, *w.known} <= result.reached:
        # Else a state was found already for each answer.
        if answer_of(*assumed)[0] == unsat:
            return
        result.reached |= {*w.asked, *w.known}
    claims = w.claims + list(invariants_of(w))
    if result.variant:
        claims = [(title, claim) for title, claim in claims if title.startswith(result.variant.breaks)]
    answer, found = answer_of(*assumed, Not(And(*(claim for _, claim in claims))), effort=A_SECOND)
    if answer == unknown:
        # Of a hard path each claim alone is easier.
        alone = (answer_of(*assumed, Not(claim)) for _, claim in claims)
        answer, found = next((one for one in alone if one[0] != unsat), (unsat, None))
    result.paths += 1
    if answer == unsat:
        result.claims.update(title for title, _ in claims)
        return
    broken = [title for title, claim in claims if not is_true(found.model().eval(claim, True))]
    result.wrong.append(f"{w.geometry.name}, {w.title}: {'; '.join(broken)}")


def prove(geometry, place, name, variant=None):
    """Proves all paths of a section. Of a variant it stops at the first that is refuted."""
    model = changed(variant) if variant else wheel
    result = SimpleNamespace(paths=0, claims=Counter(), wrong=[], reached=set(), asked=set(), variant=variant,
                             seconds=-time.process_time())
    section = next(one for one in sections_of(model, place) if one.__name__ == name)
    at = wheel.CALLBACK if place == RUNNING else place
    before = [] if section is start else list(invariants_of(Wheel(geometry, at)))
    for w in paths(section, geometry, at, arms_running_tick=place == RUNNING):
        w.title = " ".join((place + ":", name, *w.words))
        if section is model.RUNNER.get(place) and place != wheel.BETWEEN_RUNS and w.at != wheel.BETWEEN_RUNS:
            w.claim(theorems.ENDS, ULT(measure(w), measure(Wheel(geometry, place))))
        result.asked |= {line for line, _ in w.asked}
        prove_path(w, before, result)
        if variant and result.wrong:
            break
    result.seconds += time.process_time()
    return result


def judge(task):
    try:
        return prove(*task)
    except TimeoutError as unknown:
        sys.exit(f"{task[:3]}: {unknown}")


def tasks_of(geometry):
    for place in PLACES:
        for section in sections_of(wheel, place):
            yield geometry, place, section.__name__


# Where a block is one word of marks: the search begins with the block, so no arm lowers next_run, and has no other word.
NOT_IN_ONE_WORD = ("if w.when(w.next_run != tick):", True), ("if w.when(end == 0):", False)


def not_reached(geometry, results):
    """Each answer of the model that no state allows: what is proved of it says nothing."""
    reached = set().union(*(one.reached for one in results))
    lines = Path(wheel.__file__).read_text().splitlines()
    return [f"{geometry.name}: no state allows '{lines[line - 1].strip()}' to be {answer}"
            for line in sorted(set().union(*(one.asked for one in results))) for answer in (True, False)
            if (line, answer) not in reached
            and (geometry.block_size > 32 or (lines[line - 1].strip(), answer) not in NOT_IN_ONE_WORD)]


def report(geometry, results):
    """Returns what is wrong."""
    claims = sum((one.claims for one in results), Counter())
    wrong = [line for one in results for line in one.wrong] + not_reached(geometry, results)
    print(*wrong, f"{geometry.name}: {len(results)} sections, {sum(one.paths for one in results)} paths, "
          f"{claims.total()} claims, {len(wrong)} wrong, {sum(one.seconds for one in results):.0f} s of processor",
          sep="\n", flush=True)
    return wrong + ["nothing is proved"] * (not claims)


def report_variant(result):
    variant = result.variant
    found = result.wrong[0].split(": ", 2)[-1].split(";")[0] if result.wrong else f"{variant.breaks}: NOT REFUTED"
    print(f"  {variant.name}: {found}", flush=True)
    return [] if result.wrong else [variant.name]


def main():
    chosen = geometries() if sys.argv[1:] == ["all"] else [Geometry(*map(int, name)) for name in sys.argv[1:] or ["86"]]
    wrong = []
    with ProcessPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count())) as pool:
        runs = [(geometry, pool.map(judge, tasks_of(geometry))) for geometry in chosen]
        variants = [] if sys.argv[1:] else pool.map(
            judge, ((Geometry(*map(int, one.geometry)), one.place, one.section, one) for one in VARIANTS))
        for geometry, results in runs:
            results = list(results)
            wrong += report(geometry, results)
        print(*(f"proved: {title}" for title in theorems.THEOREMS if not wrong), sep="\n")
        print(*["Wrong variants, and what each breaks:"][:not sys.argv[1:]])
        for result in variants:
            wrong += report_variant(result)
    return wrong != []


if __name__ == "__main__":
    sys.exit(main())
