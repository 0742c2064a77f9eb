# SPDX-License-Identifier: MIT
"""The wheel: each section of core/wheel that runs with the lock held, in the words of the C++. Read it beside arm.hpp,
runner.hpp and next_event.hpp. sections.py says what when(), either() and open() do, invariants.py what each section keeps."""
from types import SimpleNamespace

from z3 import And, BoolVal, Extract, If, LShR, Not, Or, UGE, UGT, ULT

from sections import MAX_LAG, fresh, low, number, signed, wide
from theorems import (ALL_DONE, COUNTED, EVENT_IN_TIME, EVENT_OF_ONE, EXACT, IN_ORDER, JUMP_TO_FIRST, MAY_SEARCH, NO_SLOT,
                      NONE_LEFT, NOT_EARLY, SAME_TICK, SEARCH_IS_EARLY, SLOT_IS_FIRST, TICK_TELLS, is_after, is_before_slot,
                      is_first_slot, is_of_tv2_to_tv5, may_search)

# The places where the lock is open. All but the first two are a run's, between callbacks.
BETWEEN_RUNS, CALLBACK, NEXT_TICK, SEARCH, AHEAD, REST, BLOCK_ENDS, JUMP, JUMPED, NOT_JUMPED = PLACES = (
    "between runs", "callback", "next tick", "search", "cascade ahead", "cascade of the rest", "end of a block", "jump",
    "after a jump", "without a jump")
FINISHES_A_TICK = (CALLBACK, REST, BLOCK_ENDS, JUMP, NOT_JUMPED)
NONE = number(-1, 32)
# What the end of a block takes of a budget.
BLOCK_STEPS = 7


# --- The clock: wheel.hpp, clock.hpp

def unfinished(w):
    """The first tick that the runner has not finished. The contract counts the lag from there."""
    return w.next_run - 1 if w.at in FINISHES_A_TICK else w.next_run


def count(w):
    ticks = fresh("ticks", 32)
    w.jiffies = w.jiffies + wide(ticks)
    w.given(w.jiffies + 1 - unfinished(w) <= MAX_LAG)
    # An interrupt may come between the count and the comparison. So what was counted is any earlier tick.
    counted = w.jiffies - wide(fresh("since", 32))
    w.given(counted >= w.jiffies - MAX_LAG, counted + 1 - w.next_run <= MAX_LAG)
    if w.at == BETWEEN_RUNS and not w.when(low(counted) - low(w.next_run) >= 0):
        w.claim(TICK_TELLS, And(*(Not(And(one.pending, one.fires <= counted)) for one in w.timers)))


def pass_blocks(w, ticks):
    before, after = w.next_block, w.next_block + ticks
    w.era = Extract(63, 32, w.time_of_block() + wide(ticks, 64))
    w.next_block = after
    w.jiffies_halves = If(LShR((before - 1) ^ (after - 1), 31) != 0, w.jiffies_halves + 1, w.jiffies_halves)
    # All other ticks count from next_block.
    w.jiffies, w.next_run = w.jiffies - wide(ticks), w.next_run - wide(ticks)
    for timer in w.timers:
        timer.fires = timer.fires - wide(ticks)
    w.tv1_limit = number(w.geometry.block_size)
    w.cascade_unfinished = BoolVal(True)


# --- arm.hpp

def arm(w):
    timer = w.actor()
    expires = w.next_block + fresh("armed", 32)
    if w.when(timer.pending) if timer else w.either("pending", ""):
        if timer and w.when(timer.expires == expires):
            # By contract the tick of a pending timer is at most 2^31 ticks ago.
            w.given(w.jiffies - timer.fires + wide(w.word(timer.fires) - timer.expires) <= 1 << 31)
            tick = tick_of(w, expires)
            w.claim(SAME_TICK, If(tick == timer.fires, BoolVal(True),
                                  And(tick < timer.fires, ULT(timer.slot, w.geometry.tvr_size))))
            return
        w.unlink(timer)
    place(w, timer, expires)


def cancel(w):
    timer = w.actor()
    if timer:
        w.given(timer.pending)
    w.unlink(timer)


def tick_of(w, word):
    return w.jiffies + signed(word - w.word(w.jiffies))


def specified(w, expires):
    """The tick in which a timer that is armed now fires, by tickwheel.h."""
    tick = tick_of(w, expires)
    soonest = If(w.next_run < w.jiffies + 1, w.next_run, w.jiffies + 1)
    fires = If(tick < soonest, soonest, tick)
    if w.arms_running_tick and w.at == CALLBACK:
        fires = If(tick == w.tick, tick, fires)
    return fires


def place(w, timer, expires):
    fires = specified(w, expires)
    slot = schedule(w, expires)
    w.append(slot, timer)
    if timer:
        w.claim(NOT_EARLY, tick_of(w, expires) <= fires)
        timer.expires, timer.fires = expires, fires
        w.a_was_armed_first = BoolVal(False)


def schedule(w, expires):
    now = w.word(w.jiffies)
    delay = expires - now
    if w.when(delay <= w.geometry.tvr_size):
        following = w.word(w.next_run)
        next_delay = following - now
        if w.when(delay < next_delay):
            if w.arms_running_tick and w.at == CALLBACK and w.when(expires == following - 1):
                return w.geometry.tv1_slot(expires)
            if w.when(delay <= 0):
                expires = now + If(next_delay > 0, number(1, 32), next_delay)
            w.next_run = w.jiffies + signed(expires - now)
            return w.geometry.tv1_slot(expires)
        if w.when(delay < w.word(w.tv1_limit) - now):
            return w.geometry.tv1_slot(expires)
    return w.geometry.upper_slot(expires, w.next_block)


# --- runner.hpp: run_budget() and run_tick()

def run_budget(w):
    w.steps = fresh("budget", 32)
    w.given(w.steps >= 0)
    if w.when(w.due()):
        run_tick(w)


def run_tick(w):
    w.tick = w.next_run
    w.next_run = w.tick + 1
    w.tv1_limit = w.tick + w.geometry.tvr_size
    if not spends_step(w):
        return
    if w.is_empty(slot_of_tick(w)):
        finish_tick(w)
    else:
        call_oldest(w)


def callback_returns(w):
    if w.is_empty(slot_of_tick(w)):
        finish_tick(w)
    elif spends_step(w):
        call_oldest(w)


def slot_of_tick(w):
    return w.geometry.tv1_slot(w.word(w.tick))


def spends_step(w):
    if w.when(w.steps == 0):
        w.next_run = w.tick
        w.open(BETWEEN_RUNS)
        return False
    w.steps = w.steps - 1
    return True


def call_oldest(w):
    timer = w.oldest(slot_of_tick(w))
    w.take(timer)
    if timer:
        w.claim(EXACT, timer.fires == w.tick)
        w.claim(COUNTED, w.tick <= w.jiffies)
        w.claim(NONE_LEFT, If(w.b.pending, w.b.fires >= w.tick, BoolVal(True)))
        w.claim(IN_ORDER, If(And(w.b.pending, w.b.fires == w.tick), w.a_was_armed_first, BoolVal(True)))
    w.open(CALLBACK)


def finish_tick(w):
    slot = slot_of_tick(w)
    w.set_mark(slot, False)
    end = (w.tick | 31) + 1
    found = w.first_mark(w.tick + 1, end)
    if w.when(found < end):
        w.next_run = found
        after_tick(w)
    elif w.when(~slot & (w.geometry.block_size - 1) != 0):
        update_next_run(w, end)
    else:
        end_block(w)


def update_next_run(w, tick):
    """Up to its search."""
    if w.when(tick == 0):
        w.next_run = tick - 1
        after_tick(w)
    else:
        w.next_run = w.tick = tick
        w.open(SEARCH)


def search(w):
    tick = w.tick
    if w.when(w.next_run != tick):
        after_tick(w)
        return
    for _ in range(w.geometry.block_size // 32):
        end = tick + 32
        found = w.first_mark(tick, end)
        if w.when(found < end):
            w.next_run = found
            after_tick(w)
            return
        if w.when(end == 0):
            break
        tick = end
    w.next_run = number(-1)
    after_tick(w)


def after_tick(w):
    """The rest of the loop of run_budget()."""
    if w.when(w.due()):
        w.open(NEXT_TICK)
    elif w.when(w.cascade_unfinished):
        w.level, w.left = number(0, 3), fresh("limit", 32)
        w.given(ULT(w.left, w.steps + 1))
        w.open(AHEAD)
    else:
        run_ends(w)


def run_ends(w):
    w.open(BETWEEN_RUNS)
    w.claim(ALL_DONE, And(*(Not(And(one.pending, one.fires <= w.jiffies)) for one in w.timers)))


# --- runner.hpp: the cascade

def cascade_block(w):
    """One level, or one timer of it: the lock opens before each level and after each timer."""
    levels = w.geometry.levels
    here = next(n for n in range(len(levels)) if n == len(levels) - 1 or w.when(w.level == n))
    slot = levels[here].own_slot(w.next_block)
    if w.either("after a timer", "a level") or w.is_marked(slot):
        if not w.is_empty(slot):
            if w.when(w.left == 0):
                cascade_ends(w, False)
            else:
                move_youngest(w, slot)
            return
        w.set_mark(slot, False)
    if here + 1 < len(levels) and w.when(levels[here + 1].begins_at(w.next_block)):
        w.level = number(here + 1, 3)
        w.open(w.at)
        return
    w.cascade_unfinished = BoolVal(False)
    cascade_ends(w, True)


def move_youngest(w, slot):
    timer = w.youngest(slot)
    w.take(timer)
    below = cascaded_slot(w, timer.expires) if timer else fresh("below", 10)
    w.prepend(below, timer)
    w.left = w.left - 1
    w.steps = If(w.steps != 0, w.steps - 1, w.steps)
    w.open(w.at)


def cascaded_slot(w, expires):
    distance = expires - w.next_block
    if w.when(ULT(distance, w.geometry.block_size)):
        return w.geometry.tv1_slot(expires)
    return w.geometry.upper_slot(expires, w.next_block)


def cascade_ends(w, is_done):
    """The rest of cascade_ahead(), or of end_block()."""
    if w.at == AHEAD:
        if not is_done and w.when(Not(w.due())):
            w.next_run = w.jiffies + 1
        if w.when(w.due()):
            w.open(NEXT_TICK)
        else:
            run_ends(w)
    elif not is_done:
        w.next_run, w.steps = number(-1), number(0, 32)
        after_tick(w)
    else:
        w.open(BLOCK_ENDS)


# --- runner.hpp: the end of a block

def end_block(w):
    if w.when(w.cascade_unfinished):
        # At least one timer.
        w.level, w.left = number(0, 3), If(w.steps != 0, w.steps, number(1, 32))
        w.open(REST)
    else:
        w.open(BLOCK_ENDS)


def after_preemption(w):
    """The rest of end_block(), up to the search of a jump or to the start of the next block."""
    if w.when(ULT(counted(w), w.geometry.block_size)) or w.either("never advanced", ""):
        begin_next_block(w)
    else:
        w.slots_changed = BoolVal(False)
        w.open(JUMP)


def counted(w):
    """The ticks that are counted from the next block on."""
    return low(w.jiffies) + 1


def jump_over_blocks(w):
    """The search has run with the lock open."""
    w.open(NOT_JUMPED)
    if not w.when(w.slots_changed):
        jump_to(w, searched(w, Not(w.slots_changed)))


def jump_to(w, found):
    block = w.geometry.block_size
    if has_lone_timer(w, found):
        distance = found.distance
        if w.when(And(ULT(distance, found.second), ULT(distance, counted(w)))):
            slot = w.geometry.tv1_slot(w.next_block + distance)
            w.claim(JUMP_TO_FIRST, And(*(
                one.fires == wide(distance) if one is found.timer else
                Or(Not(one.pending), And(one.fires > wide(distance), one.slot != slot)) for one in w.timers)))
            w.move_lone(found.slot, slot, found.timer)
            w.next_run = wide(distance)
            pass_blocks(w, (distance | block - 1) + 1)
            pay(w, 2 * BLOCK_STEPS)
            w.open(JUMPED)
            return
    most = counted(w) + block
    empty = If(ULT(found.first, most), found.first, most) & -block
    if w.when(empty != 0):
        pass_blocks(w, empty)
        w.next_run = number(-1)
        pay(w, BLOCK_STEPS)
        w.open(JUMPED)


def begin_next_block(w):
    pass_blocks(w, number(w.geometry.block_size, 32))
    pay(w, BLOCK_STEPS)
    update_next_run(w, number(-w.geometry.block_size))


def pay(w, steps):
    w.steps = If(UGT(w.steps, steps), w.steps - steps, number(0, 32))


# --- next_event.hpp

def next_event(w):
    slot = w.geometry.tv1_slot(w.word(w.next_run))
    found, answer = True, w.next_run
    if w.at != BETWEEN_RUNS:
        answer = w.next_run - 1
    elif not (w.when(~slot & (w.geometry.block_size - 1) != 0) or w.is_marked(slot) or w.when(w.cascade_unfinished)):
        slots = searched(w, True)
        found, answer = slots.first != NONE, wide(slots.first)
        if has_lone_timer(w, slots):
            answer = event_of(slots, slots.distance)
    w.claim(EVENT_IN_TIME, And(*(If(one.pending, And(found, answer <= one.fires), BoolVal(True)) for one in w.timers)))


def event_of(found, distance):
    return wide(If(ULT(distance, found.second), distance, found.second))


def searched(w, unchanged):
    """What find() finds, by its own proof. A search that reads a changed slot may find anything."""
    found = SimpleNamespace(first=fresh("first", 32), second=fresh("second", 32), slot=fresh("found", 10))
    w.claim(MAY_SEARCH, Or(Not(unchanged), may_search(w)))
    found.wrong = Or(Not(unchanged), Not(may_search(w)))
    w.given(Or(found.wrong, And(is_of_tv2_to_tv5(w, found), *(And(
        is_before_slot(w, found, one), is_first_slot(w, found, one, other)) for one, other in ((w.a, w.b), (w.b, w.a))))))
    return found


def has_lone_timer(w, found):
    """`distance` is its tick, from next_block on. What is proved of A and B holds of any other timer and each of them."""
    if not w.when(found.slot != NO_SLOT) or not w.either("a lone timer", "no lone timer"):
        return False
    timer = found.timer = w.actor()
    w.given(*(w.lies_in(one, found.slot) == BoolVal(one is timer) for one in w.timers))
    found.distance = timer.expires - w.next_block if timer else fresh("distance", 32)
    w.given(Or(found.wrong, And(*(
        is_after(w, one, found, wide(found.distance)) for one in w.timers if one is not timer))))
    return True


def find(w):
    w.given(may_search(w))
    found = first_slots(w)
    # A and B are any two timers.
    w.claim(SEARCH_IS_EARLY, is_before_slot(w, found, w.a))
    w.claim(SLOT_IS_FIRST, is_of_tv2_to_tv5(w, found))
    w.claim(SLOT_IS_FIRST, is_first_slot(w, found, w.a, w.b))


def find_the_only_timer(w):
    """No slot but that of A is marked."""
    w.given(may_search(w), w.a.pending, w.a.marked, Not(w.b.pending), *(
        Not(level.has(w.a.slot)) for level in w.geometry.levels if level.is_overflow))
    w.only_a = True
    found = first_slots(w)
    w.claim(EVENT_OF_ONE, w.a.fires == If(found.slot == NO_SLOT, wide(found.first),
                                          event_of(found, w.a.expires - w.next_block)))


def first_slots(w):
    near = w.steps_to_next_mark(0, w.geometry.tvr_size, wide(w.geometry.tv1_slot(w.next_block - 1), 32)) - 1
    found = SimpleNamespace(first=near, second=NONE, slot=NO_SLOT)
    if w.when(UGE(near, w.geometry.block_size)):
        find_above(w, w.geometry.levels, found)
    return found


def find_above(w, levels, found):
    here = levels[0]
    own = here.index(w.next_block)
    steps = w.steps_to_next_mark(here.first, here.size, own)
    start = ((LShR(w.next_block, here.shift) + steps) << here.shift) - w.next_block
    slot = NO_SLOT if here.is_overflow else here.slot(w.next_block + start, w.next_block)
    is_first, is_second = And(steps != 0, ULT(start, found.first)), And(steps != 0, ULT(start, found.second))
    found.second = If(is_first, found.first, If(is_second, start, found.second))
    found.first, found.slot = If(is_first, start, found.first), If(is_first, slot, found.slot)
    if len(levels) > 1 and (w.when(steps == 0) or w.when(UGE(own + steps, here.size))):
        find_above(w, levels[1:], found)


# What the runner does next.
RUNNER = {BETWEEN_RUNS: run_budget, CALLBACK: callback_returns, NEXT_TICK: run_tick, SEARCH: search, AHEAD: cascade_block,
          REST: cascade_block, BLOCK_ENDS: after_preemption, JUMP: jump_over_blocks, JUMPED: after_tick,
          NOT_JUMPED: begin_next_block}
