# SPDX-License-Identifier: MIT
"""What is proved on the way of a section of wheel.py: the titles of the claims, and what a search of marks finds. The invariants
of invariants.py are proved at its end."""
from z3 import And, If, LShR, Not, Or

from sections import number, wide

NO_SLOT = number(-1, 10)

# requirement: TW-01, TW-02, TW-03, TW-06
EXACT = "a timer fires in max(expires, min(next_run, jiffies + 1)) as they were when it was armed"
NOT_EARLY = "that is never before its tick"
COUNTED = "a timer fires in a tick that is counted"
# requirement: TW-07, TW-08, TW-24
NONE_LEFT = "no timer of an earlier tick is left behind"
ALL_DONE = "after a run that no budget ended, no timer is due"
# requirement: TW-04, TW-05
IN_ORDER = "timers of one tick fire in the order of their arms"
# requirement: TW-21
TICK_TELLS = "tick() says 1 if a timer is due between two runs"
# requirement: TW-10
SAME_TICK = "an arm may do nothing if the timer is pending for that tick, while that is at most 2^31 ticks ago"
MAY_SEARCH = "a search of marks begins when the block is done and the next one has cascaded"
SEARCH_IS_EARLY = "a search of marks finds nothing later than the first tick of a slot that has a timer"
SLOT_IS_FIRST = "of tv2 to tv5 it finds a slot whose ticks are before all other slots, or before the second that it finds"
JUMP_TO_FIRST = "a timer to whose block a run jumps fires first of all, and its slot of tv1 is empty"
# requirement: TW-31
EVENT_IN_TIME = "next_event() is never later than a timer, and 0 only if none is pending"
EVENT_OF_ONE = "next_event() is the tick of the only timer, if the block is done and that is not in the overflow level"
# requirement: TW-20
ENDS = "each section of a run spends a step, or comes nearer to the end of its tick: each run ends"
THEOREMS = EXACT, NOT_EARLY, COUNTED, NONE_LEFT, ALL_DONE, IN_ORDER, TICK_TELLS, SAME_TICK, EVENT_IN_TIME, EVENT_OF_ONE, ENDS


def may_search(w):
    return And(Not(w.cascade_unfinished), *(Or(Not(one.pending), one.fires >= 0) for one in w.timers))


def is_before_slot(w, found, timer):
    return Or(Not(timer.pending), wide(found.first) <= start_of_slot(w, timer))


def is_of_tv2_to_tv5(w, found):
    return Or(found.slot == NO_SLOT, *(level.has(found.slot) for level in w.geometry.levels if not level.is_overflow))


def is_first_slot(w, found, timer, other):
    """If the slot has `timer`."""
    return Or(Not(timer.pending), timer.slot != found.slot, is_after(w, other, found, timer.fires))


def is_after(w, timer, found, tick):
    start = start_of_slot(w, timer)
    return Or(Not(timer.pending), timer.slot == found.slot, start > tick, start >= wide(found.second))


def start_of_slot(w, timer):
    start = timer.fires
    for level in w.geometry.levels:
        within = wide(w.next_block & ((1 << level.shift) - 1))
        slots = number(1) if level.is_overflow else LShR(within + timer.fires, level.shift)
        start = If(level.has(timer.slot), (slots << level.shift) - within, start)
    return start
