# SPDX-License-Identifier: MIT
"""Which slot an arm must choose, from the words of tickwheel.h and core/DESIGN.md, not from the code.

The clock's words and the armed tick are any 32-bit numbers. Time is measured from `jiffies` in wider numbers that do not
wrap: 0 is the current tick, 1 the next one, and -1 the one before."""
from z3 import And, BitVec, BitVecVal, Extract, If, Implies, LShR, SignExt, UGE, ULT, ZeroExt

WIDE = 36
CONTRACT = 1 << 31


def constant(value):
    return BitVecVal(value, WIDE)


def earlier(first, second):
    return If(first < second, first, second)


def later(first, second):
    return If(first < second, second, first)


def slot_of_level(level, tick, base):
    """A slot of a level. The level beyond always gives the slot of the range after the base's."""
    counted = base + (1 << level.shift) if level.is_beyond else tick
    return level.first + (LShR(counted, level.shift) & (level.size - 1))


def upper_slot(geometry, tick, base):
    """The highest level whose slots are not wider than the distance: its range has the distance."""
    slot = slot_of_level(geometry.levels[0], tick, base)
    for level in geometry.levels[1:]:
        slot = If(UGE(tick - base, 1 << level.shift), slot_of_level(level, tick, base), slot)
    return slot


class Arm:
    """An arm of any tick in any state of the clock. Its fields are terms of the solver."""

    def __init__(self, geometry):
        self.geometry = geometry
        self.expires, self.jiffies, self.next_event, self.window, self.base = (
            BitVec(name, 32) for name in ("expires", "jiffies", "next_event", "window", "base"))
        block = geometry.block_size
        # I9: jiffies + 1 is never before the block, and less than 2^31 + a block after it.
        counted = self.jiffies + 1 - (self.base - block)
        self.block_begin = 1 - ZeroExt(WIDE - 32, counted)
        self.block_end = self.block_begin + block
        self.next = self.block_begin + ZeroExt(WIDE - 32, self.next_event - (self.base - block))
        self.limit = self.block_end + ZeroExt(WIDE - 32, self.window - self.base)
        # The runner comes to each tick from next_event on (I5), and to each that is not counted.
        self.first_to_come = earlier(self.next, constant(1))
        self.invariants = And(
            self.base & (block - 1) == 0,
            ULT(counted, CONTRACT + block),
            # I3 and its exception: while a run passes the last tick of a block, next_event may be the base.
            self.next <= self.block_end,
            -self.next < CONTRACT,
            # I4: of tv1's window.
            self.limit >= self.block_end + block,
            self.limit <= self.first_to_come + geometry.tvr_size)
        # The contract: a delay of up to 2^31 - 1 ticks. A lag of two blocks or more counts too.
        self.delay = SignExt(WIDE - 32, self.expires - self.jiffies)
        self.contract = And(self.delay > -CONTRACT,
                            Implies(And(self.delay > 0, -self.next >= 2 * block), self.delay - self.next < CONTRACT))
        # A timer fires in its tick. If the runner has begun that, it fires in the first tick to which the runner comes.
        self.fires = later(self.delay, self.first_to_come)
        self.in_tv1 = self.fires < self.limit
        tick = self.jiffies + Extract(31, 0, self.fires)
        self.slot = If(self.in_tv1, tick & (geometry.tvr_size - 1), upper_slot(geometry, tick, self.base))
        self.next_event_after = If(self.fires < self.next, tick, self.next_event)
