# SPDX-License-Identifier: MIT
"""The list: each section of core/list that runs with the lock held, in the words of the C++, and the invariants L1 to L4 of
core/DESIGN.md. Read it beside ordered_list.hpp, runner.hpp and searches.hpp. sections.py says what when(), either() and open()
do. Ticks count from the end of the quarter, as those of a wheel do from next_block. A is the timer on which a section acts, and
B is any other. A section does nothing to two others but what it does to B, because L1 names no word of the clock."""
from types import SimpleNamespace

from sections import MAX_LAG, Wheel, fresh, number, signed, wide
from theorems import (ALL_DONE, COUNTED, EVENT_IN_TIME, EXACT, IN_ORDER, NONE_LEFT, NOT_EARLY, SAME_TICK)
from wheel import BETWEEN_RUNS, CALLBACK, specified, tick_of, unfinished
from z3 import UGT, ULT, And, BitVec, BoolVal, Extract, If, Implies, LShR, Not, Or

# The lock is open in the first two. In the last one a run goes on.
QUARTER = "a quarter begins"
BLOCK_BITS = 30
TICKS = 1 << BLOCK_BITS
EVENT_EXACT = "next_event() is the tick of the first timer between two runs, and that of the run in a callback"
DISTANCES = "a distance from next_run - 1 is how many ticks later the timer fires"


class List(Wheel):
    def __init__(self, at, answers=(), arms_running_tick=False):
        super().__init__(SimpleNamespace(block_size=TICKS), at, answers, arms_running_tick)
        self.jiffies_quarters = BitVec("jiffies_quarters", 32)
        # An arm has chosen the tick of A, which is not in the list yet.
        self.searches = False

    def first(self):
        """ends.next: A, or None for the end itself."""
        if self.either("", "no timer"):
            self.given(self.a.pending, Implies(self.b.pending, self.a_is_before_b))
            return self.a
        self.given(Not(self.a.pending), Not(self.b.pending))
        return None


# --- ordered_list.hpp

def quarter_end(w):
    return (w.jiffies_quarters + 1) << BLOCK_BITS


def late(fires):
    return Extract(9, 0, 4 | (fires & 3))


def distance(timer, origin):
    return If(timer.slot != 0, (wide(timer.slot, 32) - origin) & 3, timer.expires - origin)


def schedule(w, expires):
    now, following = w.word(w.jiffies), w.word(w.next_run)
    delay, next_delay = expires - now, following - now
    slot = number(0, 10)
    runs_now = w.arms_running_tick and w.at == CALLBACK and w.when(expires == following - 1)
    if w.when(delay < next_delay) and not runs_now:
        if w.when(delay <= 0):
            expires = now + If(next_delay > 0, number(1, 32), next_delay)
            slot = late(expires)
        w.next_run = w.jiffies + signed(expires - now)
    return expires, slot


def append(w):
    """The rest of an arm of A. prove_list.py proves that the search finds this place in an order by distances."""
    w.searches = False
    origin = w.word(w.next_run) - 1
    w.claim(DISTANCES, Implies(w.b.pending, wide(distance(w.b, origin)) == w.b.fires - w.next_run + 1))
    fires = w.word(w.a.fires) - origin
    w.a_is_before_b = UGT(distance(w.b, origin), fires)
    w.a_was_armed_first = BoolVal(False)


# --- ../wheel/arm.hpp

def arm(w):
    """Up to the search."""
    expires = w.next_block + fresh("armed", 32)
    if w.when(And(w.a.pending, w.a.expires == expires)):
        # By contract the tick of a pending timer is at most 2^31 ticks ago.
        w.given(w.jiffies - w.a.fires + wide(w.word(w.a.fires) - w.a.expires) <= 1 << 31)
        tick = tick_of(w, expires)
        w.claim(SAME_TICK, Or(tick == w.a.fires, And(tick < w.a.fires, w.a.slot != 0)))
        return
    w.searches = True
    tick, w.a.fires = tick_of(w, expires), specified(w, expires)
    w.claim(NOT_EARLY, tick <= w.a.fires)
    chosen, w.a.slot = schedule(w, expires)
    w.claim(EXACT, chosen == w.word(w.a.fires))
    w.a.pending, w.a.expires = BoolVal(True), expires


def cancel(w):
    w.a.pending = BoolVal(False)


# --- runner.hpp: run_budget()

def run_budget(w):
    w.steps = fresh("budget", 32)
    w.given(w.steps >= 0)
    w.tick = w.next_run
    take_first(w)


def take_first(w):
    timer = w.first()
    ahead = quarter_end(w) - w.word(w.tick)
    ticks = distance(timer, w.word(w.tick)) if timer else ahead
    w.tick = w.next_run = w.tick + wide(If(ULT(ticks, ahead), ticks, ahead))
    if w.when(w.word(w.jiffies) - w.word(w.tick) < 0):
        w.claim(ALL_DONE, And(*(Not(And(one.pending, one.fires <= w.jiffies)) for one in w.timers)))
        w.open(BETWEEN_RUNS)
        return
    w.steps = w.steps - 1
    if w.when(w.steps < 0):
        w.open(BETWEEN_RUNS)
    elif w.when(w.word(w.tick) == quarter_end(w)):
        w.jiffies_quarters = w.jiffies_quarters + 1
        from_next_quarter(w)
        w.open(QUARTER)
    else:
        w.next_run = w.tick + 1
        w.claim("a run calls a timer, not the end", BoolVal(timer is not None))
        w.claim(COUNTED, w.tick <= w.jiffies)
        w.claim(EXACT, w.a.fires == w.tick)
        w.claim(NONE_LEFT, Implies(w.b.pending, w.b.fires >= w.tick))
        w.claim(IN_ORDER, Implies(And(w.b.pending, w.b.fires == w.tick), w.a_was_armed_first))
        cancel(w)
        w.open(CALLBACK)


def from_next_quarter(w):
    """The same ticks, counted from the end of the next quarter. No code does this."""
    w.era = Extract(63, 32, w.time_of_block() + TICKS)
    w.next_block = w.next_block + TICKS
    w.jiffies, w.next_run, w.tick = w.jiffies - TICKS, w.next_run - TICKS, w.tick - TICKS
    for timer in w.timers:
        timer.fires = timer.fires - TICKS


# --- searches.hpp

def next_event(w):
    origin, found, answer = w.next_run - 1, True, w.next_run - 1
    if w.at == BETWEEN_RUNS:
        timer = w.first()
        found = timer is not None
        if found:
            answer = origin + wide(distance(timer, w.word(origin)))
            w.claim(EVENT_EXACT, answer == timer.fires)
    else:
        w.claim(EVENT_EXACT, answer == w.tick)
    w.claim(EVENT_IN_TIME, And(*(Implies(one.pending, And(BoolVal(found), answer <= one.fires)) for one in w.timers)))


# --- The invariants

def of_clock(w):
    yield "L2: next_run is in the quarter", And(unfinished(w) >= -TICKS, w.next_run <= 0)
    yield "L4: jiffies + 1 is not before the quarter", w.jiffies + 1 >= -TICKS
    yield "L4: the lag", And(w.jiffies + 1 - unfinished(w) <= MAX_LAG, w.jiffies <= MAX_LAG)
    yield "L4: jiffies_quarters", w.jiffies_quarters == Extract(31, 0, LShR(w.time_of_block(), BLOCK_BITS)) - 1
    if w.at != BETWEEN_RUNS:
        yield "L2: the tick that runs", And(w.next_run == (w.tick + 1 if w.at == CALLBACK else w.tick), w.tick <= w.jiffies)
        yield "the budget has 31 bits", w.steps >= 0


def of_timer(w, t):
    for title, claim in (
            ("L2: no timer fires before next_run", t.fires >= (w.tick if w.at == CALLBACK else w.next_run)),
            ("L2: it is at most a delay ahead", And(t.fires <= 2 * MAX_LAG, t.fires - w.jiffies <= MAX_LAG)),
            ("L3: expires or slot is its tick",
             If(t.slot == 0, t.expires == w.word(t.fires), t.slot == late(w.word(t.fires)))),
            ("L3: a late timer is near", Or(t.slot == 0, And(t.fires <= w.jiffies + 1, t.fires <= unfinished(w) + 1)))):
        yield title, Implies(t.pending, claim)


def of_pair(w):
    yield "L1: the order of the list", Implies(And(w.a.pending, w.b.pending), w.a_is_before_b == Or(
        w.a.fires < w.b.fires, And(w.a.fires == w.b.fires, w.a_was_armed_first)))


def invariants(w):
    yield from of_clock(w)
    for timer in w.timers:
        yield from ((f"{title} ({timer.name})", claim) for title, claim in of_timer(w, timer))
    if not w.searches:
        yield from of_pair(w)
