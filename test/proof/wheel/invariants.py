# SPDX-License-Identifier: MIT
"""The invariants of core/DESIGN.md, by their numbers: of the clock, of one timer, and of two. Each holds wherever the lock is
open, and each section of wheel.py keeps all of them: so they hold after any sequence of calls. checks.py makes C++ of them."""
from z3 import And, Extract, If, Implies, LShR, Not, Or, UGE, UGT, ULE, ULT

from sections import MAX_LAG, number, wide
from wheel import AHEAD, BETWEEN_RUNS, BLOCK_ENDS, CALLBACK, JUMP, NEXT_TICK, NOT_JUMPED, REST, SEARCH, unfinished


def of_clock(w):
    block, turn = w.geometry.block_size, w.geometry.tvr_size
    ends_block = w.at in (REST, BLOCK_ENDS, JUMP, NOT_JUMPED)
    begun = w.tv1_limit - turn
    yield "I4: tv1_limit", And(w.tv1_limit >= block, w.tv1_limit < turn)
    yield "I3: next_run is in the block", And(w.next_run >= begun, w.next_run <= (0 if ends_block or w.at == CALLBACK else -1))
    yield "I9: jiffies + 1 is not before the block", And(w.jiffies + 1 >= -block, w.jiffies + 1 >= begun)
    yield "I9: the lag", And(w.jiffies + 1 - unfinished(w) <= MAX_LAG, w.jiffies <= MAX_LAG)
    yield "I9: jiffies_halves", w.jiffies_halves == Extract(31, 0, LShR(w.time_of_block() - 1, 31))
    if w.at == BETWEEN_RUNS:
        yield "I10: next_run while timers cascade", Implies(w.cascade_unfinished, w.next_run <= w.jiffies + 1)
    if w.at == CALLBACK:
        yield "I5: next_run while a tick is drained", And(w.next_run == w.tick + 1, w.tv1_limit == w.tick + turn,
                                                          w.tick <= w.jiffies)
    if w.at == NEXT_TICK:
        yield "I3: the next tick is due", w.next_run <= w.jiffies
    if w.at == SEARCH:
        yield "I3: next_run during a search", And(w.tick >= -block, w.tick < 0, w.tick & 31 == 0, w.next_run <= w.tick)
    if w.at in (AHEAD, REST):
        yield "I10: the lower levels have cascaded", And(w.cascade_unfinished, *(
            Or(ULT(w.level, index), level.begins_at(w.next_block)) for index, level in enumerate(w.geometry.levels)))
    if w.at in (BLOCK_ENDS, JUMP, NOT_JUMPED):
        yield "I10: a block ends when all have cascaded", Not(w.cascade_unfinished)
    if ends_block:
        yield "I3: the last tick of the block has run", And(w.next_run == 0, w.jiffies >= -1)
    if w.at != BETWEEN_RUNS:
        yield "the budget has 31 bits", w.steps >= 0


def cascades(w, index):
    """Whether a slot of this level that begins at next_block may still have timers."""
    return ULE(w.level, index) if w.at in (AHEAD, REST) else w.cascade_unfinished


def of_timer(w, t):
    in_tv1 = ULT(t.slot, w.geometry.tvr_size)
    tick = w.word(t.fires)
    late = wide(tick - t.expires)
    levels = w.geometry.levels
    claims = [
        ("I2: its slot is marked", t.marked),
        ("I3: next_run is not after it", t.fires >= (w.tick if w.at == CALLBACK else w.next_run)),
        ("I4: it is in the turn of tv1, or later", t.fires >= w.tv1_limit - w.geometry.tvr_size),
        ("I4: tv1 has its tick", Implies(in_tv1, And(t.fires < w.tv1_limit, t.slot == w.geometry.tv1_slot(tick)))),
        ("I4: it is overdue only in tv1", Or(late == 0, And(in_tv1, t.fires - late <= w.jiffies))),
        ("I4: above tv1", Implies(Not(in_tv1), And(t.fires >= 0, Or(*(level.has(t.slot) for level in levels))))),
        ("I9: it is at most a delay ahead", And(t.fires <= 2 * MAX_LAG, t.fires - w.jiffies <= MAX_LAG))]
    for index, level in enumerate(levels):
        # How many slots it is after that of next_block. Each slot but the own begins after next_block.
        ahead = LShR(wide(w.next_block & ((1 << level.shift) - 1)) + t.fires, level.shift)
        now = And(level.begins_at(w.next_block), cascades(w, index))
        if level.is_overflow:
            own = t.slot == level.own_slot(w.next_block)
            claim = If(own, now, UGE(ahead, 1))
        else:
            claim = And(t.slot == level.slot(tick, w.next_block), Or(UGE(ahead, 1), now), t.fires < level.size << level.shift)
        claims.append((f"I4: in tv{index + 2}", Implies(level.has(t.slot), claim)))
    for title, claim in claims:
        yield title, Implies(t.pending, claim)


def height(w, t):
    """A slot of the overflow level that cascades now is above the other."""
    found = number(0, 4)
    for index, level in enumerate(w.geometry.levels):
        found = If(level.has(t.slot), number(index + 1, 4), found)
        if level.is_overflow:
            found = If(t.slot == level.own_slot(w.next_block), number(index + 2, 4), found)
    return found


def of_pair(w):
    both = And(w.a.pending, w.b.pending, w.a.fires == w.b.fires)
    one_slot = w.a.slot == w.b.slot
    a, b = height(w, w.a), height(w, w.b)
    yield "I7: in a slot by arming", Implies(And(both, one_slot), w.a_is_before_b == w.a_was_armed_first)
    yield "I7: the upper was armed first", Implies(And(both, Not(one_slot)), And(a != b, w.a_was_armed_first == UGT(a, b)))


def of_wheel(w):
    yield from of_clock(w)
    for timer in w.timers:
        yield from ((f"{title} ({timer.name})", claim) for title, claim in of_timer(w, timer))
    yield from of_pair(w)
