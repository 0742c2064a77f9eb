# SPDX-License-Identifier: MIT
"""Wrong variants of wheel.py, each a change of one line. Each must be refuted, by the claims whose titles begin as told."""
from collections import namedtuple
from pathlib import Path
from types import ModuleType

Variant = namedtuple("Variant", "name place section right wrong breaks geometry", defaults=("86",))

VARIANTS = [Variant(*one) for one in (
    ("an arm keeps next_run", "anywhere", "arm", "w.next_run = w.jiffies + signed(expires - now)", "pass", "I3"),
    ("tv1 takes the tick of tv1_limit", "anywhere", "arm", "delay < w.word(w.tv1_limit) - now",
     "delay <= w.word(w.tv1_limit) - now", "I4"),
    ("an overdue timer fires in the next tick", "anywhere", "arm", "now + If(next_delay > 0, number(1, 32), next_delay)",
     "now + 1", "I4"),
    ("an arm takes the last slot of tv1 for far ticks", "anywhere", "arm",
     "return w.geometry.upper_slot(expires, w.next_block)\n\n\n# ---", "return w.geometry.tv1_slot(expires)\n\n\n# ---", "I4"),
    ("an arm prepends", "anywhere", "arm", "w.append(slot, timer)", "w.prepend(slot, timer)", "I7"),
    ("a repeated arm does nothing at any time", "anywhere", "arm", "<= 1 << 31)", "<= 3 << 31)", "an arm may do nothing"),
    ("the contract allows a lag of 2^31", "between runs", "count", "unfinished(w) <= MAX_LAG)",
     "unfinished(w) <= MAX_LAG + 1)", "I9"),
    ("a tick raises tv1_limit too far", "next tick", "run_tick", "w.tick + w.geometry.tvr_size\n",
     "w.tick + w.geometry.tvr_size + 1\n", "I4"),
    ("a run begins a tick late", "next tick", "run_tick", "w.next_run = w.tick + 1", "w.next_run = w.tick + 2", "I3"),
    ("a run reads the slot of the next tick", "next tick", "run_tick", "tv1_slot(w.word(w.tick))",
     "tv1_slot(w.word(w.tick + 1))", "I3"),
    ("a budget loses its tick", "next tick", "run_tick", "w.next_run = w.tick\n        w.open(BETWEEN_RUNS)",
     "w.open(BETWEEN_RUNS)", "I3"),
    ("an empty tick spends no step", "callback", "callback_returns", "w.steps = w.steps - 1\n    return", "return",
     "each section of a run"),
    ("the youngest of a tick fires first", "next tick", "run_tick", "w.oldest(", "w.youngest(", "timers of one tick"),
    ("a tick passes a mark of its word", "next tick", "run_tick", "w.next_run = found\n        after_tick(w)\n    elif",
     "w.next_run = found + 1\n        after_tick(w)\n    elif", "I3"),
    ("a search ignores an arm", "search", "search", "w.when(w.next_run != tick)", "False", "I3"),
    ("a search passes a word", "search", "search", "tick = end\n", "tick = end + 32\n", "I3"),
    ("the highest level cascades first", "cascade ahead", "cascade_block", "levels[here].own_slot",
     "levels[-1 - here].own_slot", "I4"),
    ("a slot cascades from its oldest", "cascade ahead", "cascade_block", "w.youngest(slot)", "w.oldest(slot)", "I7"),
    ("a cascade to tv1 by tv1_limit", "cascade ahead", "cascade_block", "ULT(distance, w.geometry.block_size)",
     "ULT(distance, low(w.tv1_limit))", "I7"),
    ("a cascade appends", "cascade ahead", "cascade_block", "w.prepend(below, timer)", "w.append(below, timer)", "I7"),
    ("a move spends no step", "cascade of the rest", "cascade_block", "w.left = w.left - 1", "pass", "each section of a run"),
    ("a level is passed before it is empty", "cascade ahead", "cascade_block", "if not w.is_empty(slot):",
     "if not w.is_empty(slot) and w.either('all', 'some'):", "I2"),
    ("a cascade does not wake the next tick", "cascade ahead", "cascade_block", "w.next_run = w.jiffies + 1\n", "pass\n",
     "I10"),
    ("a block ends while timers cascade", "next tick", "run_tick", "if w.when(w.cascade_unfinished):\n        # At least",
     "if False:\n        # At least", "I10"),
    ("half of tv1 off by one", "end of a block", "after_preemption", "w.tv1_limit = number(w.geometry.block_size)",
     "w.tv1_limit = number(w.geometry.block_size - 1)", "I4"),
    ("a block begins cascaded", "end of a block", "after_preemption", "w.cascade_unfinished = BoolVal(True)",
     "w.cascade_unfinished = BoolVal(False)", "I4"),
    ("a block does not count halves", "end of a block", "after_preemption", "w.jiffies_halves + 1", "w.jiffies_halves", "I9"),
    ("jiffies_halves lose their carry", "end of a block", "after_preemption", "w.jiffies_halves + 1", "w.jiffies_halves ^ 1", "I9"),
    ("a jump ignores the token", "jump", "jump_over_blocks", "if not w.when(w.slots_changed):", "if True:", "I3"),
    ("a jump passes what is not counted", "jump", "jump_over_blocks", "If(ULT(found.first, most), found.first, most)",
     "found.first", "I9"),
    ("a jump to a lone timer passes what is not counted", "jump", "jump_over_blocks", ", ULT(distance, counted(w)))", ")",
     "I9"),
    ("a jump to a lone timer passes another slot", "jump", "jump_over_blocks", "And(ULT(distance, found.second), ", "And(",
     "a timer to whose block"),
    ("a jump to a lone timer begins a block cascaded", "jump", "jump_over_blocks", "pay(w, 2 * BLOCK_STEPS)",
     "w.cascade_unfinished = BoolVal(False)", "I4"),
    ("a slot of the overflow level has a lone timer", "before a search of marks", "find", "NO_SLOT if here.is_overflow else ",
     "", "of tv2 to tv5", "64"),
    ("next_event passes another slot", "between runs", "next_event",
     "If(ULT(distance, found.second), distance, found.second)", "distance", "next_event() is never"),
    ("a search forgets the second slot", "before a search of marks", "find", "If(is_second, start, found.second)",
     "found.second", "of tv2 to tv5"),
    ("a search passes the end of a turn", "before a search of marks", "find", "UGE(own + steps, here.size)",
     "UGE(own + steps, here.size + 2)", "a search of marks finds"),
    ("next_event ignores the cascade", "between runs", "next_event", " or w.when(w.cascade_unfinished)", "", "a search of marks begins"),
    ("next_event ignores the last tick", "between runs", "next_event", " or w.is_marked(slot) or", " or",
     "a search of marks begins"))]
SOURCE = Path(__file__).with_name("wheel.py").read_text()


def changed(variant, source=SOURCE):
    """A model, with the variant's line."""
    if source.count(variant.right) != 1:
        raise ValueError(f"{variant.name}: its line is not in the model once")
    module = ModuleType("wrong_wheel")
    exec(source.replace(variant.right, variant.wrong), module.__dict__)
    return module
