# SPDX-License-Identifier: MIT
"""Which slot an arm must choose, from the words of tickwheel.h and core/DESIGN.md, not from the code.

The clock's words and the armed tick are any 32-bit numbers that the invariants allow. Only which geometries
are legal is the compiler's word. That the code has the levels of each is what binary.py proves."""
import os
import subprocess
from dataclasses import dataclass

from z3 import And, BitVec, BitVecVal, Concat, Extract, If, LShR, SignExt, UGE, ZeroExt

WIDE = 36
# By contract. A delay has the same limit.
MAX_LAG = (1 << 31) - 1


@dataclass(frozen=True)
class Level:
    """A level above tv1. The slots of all levels are numbered in one row, and `first` is the first of these."""
    shift: int
    first: int
    size: int
    is_overflow: bool = False


@dataclass(frozen=True)
class Geometry:
    tvr_bits: int
    tvn_bits: int

    @property
    def name(self):
        return f"{self.tvr_bits},{self.tvn_bits}"

    @property
    def tvr_size(self):
        return 1 << self.tvr_bits

    @property
    def block_size(self):
        return self.tvr_size // 2

    @property
    def levels(self):
        size = 1 << self.tvn_bits
        # tv2 has a slot for each block, so twice as many as tv3 to tv5. Levels of 32 slots or more are numbered downwards.
        places = (3, 2, 1, 0) if size >= 32 else (0, 2, 3, 4)
        found = [Level(self.tvr_bits - 1, self.tvr_size + places[0] * size, 2 * size)]
        found += [Level(self.tvr_bits + n * self.tvn_bits, self.tvr_size + places[n] * size, size) for n in (1, 2, 3)]
        range_bits = self.tvr_bits + 4 * self.tvn_bits
        if range_bits < 31:
            # The overflow level: timers that are farther away than tv5 reaches.
            found.append(Level(range_bits, self.tvr_size + 5 * size, 2, True))
        return tuple(found)

    @property
    def is_legal(self):
        source = f"#include \"wheel/geometry.hpp\"\ntemplate struct tickwheel::geometry<{self.name}>;\n"
        return subprocess.run([os.environ.get("CXX", "g++"), "-std=c++17", "-Icore", "-fsyntax-only", "-x", "c++", "-"],
                              input=source, text=True, stderr=subprocess.DEVNULL).returncode == 0


def geometries():
    # More than geometry.hpp allows on each side.
    every = (Geometry(tvr_bits, tvn_bits) for tvr_bits in range(4, 11) for tvn_bits in range(1, 9))
    return [one for one in every if one.is_legal]


def wide(term):
    return ZeroExt(WIDE - 32, term)


def earlier(first, second):
    return If(first < second, first, second)


def later(first, second):
    return If(first < second, second, first)


def slot_of_level(level, tick, next_block):
    """A slot of a level. The overflow level always gives the slot of the range after that of next_block."""
    counted = next_block + (1 << level.shift) if level.is_overflow else tick
    return level.first + (LShR(counted, level.shift) & (level.size - 1))


def upper_slot(geometry, tick, next_block):
    """The highest level whose slots are not wider than the distance: its range has the distance."""
    slot = slot_of_level(geometry.levels[0], tick, next_block)
    for level in geometry.levels[1:]:
        slot = If(UGE(tick - next_block, 1 << level.shift), slot_of_level(level, tick, next_block), slot)
    return slot


class Arm:
    """An arm of any tick in any state of the clock. Its fields are terms of the solver. All of them are next_block and a
    distance from it, because the solver is then ten times as fast. Any five 32-bit numbers are such a state, if next_block
    is the start of a block."""

    def __init__(self, geometry):
        self.geometry = geometry
        block = geometry.block_size
        low = block.bit_length() - 1
        self.next_block = Concat(BitVec("block", 32 - low), BitVecVal(0, low))
        counted, upcoming, refused, armed = (BitVec(name, 32) for name in ("counted", "upcoming", "refused", "armed"))
        first = self.next_block - block
        self.jiffies, self.next_run = first + counted - 1, first + upcoming
        self.tv1_limit, self.expires = first + refused, first + armed
        # Ticks in numbers that do not wrap: 0 is the first tick of the current block.
        self.now, self.next, self.limit = wide(counted) - 1, wide(upcoming), wide(refused)
        # The runner comes to each tick from next_run on (I5), and to each that is not counted.
        self.timer_jiffies = earlier(self.next, self.now + 1)
        self.invariants = And(
            # I9
            self.now + 1 <= MAX_LAG + block,
            self.now + 1 - self.next <= MAX_LAG,
            # I3 and its exception: while a run passes the last tick of a block, next_run may be next_block.
            self.next <= block,
            # I4
            self.limit >= 2 * block,
            self.limit <= self.timer_jiffies + geometry.tvr_size)
        # A delay is at most 2^31 - 1 ticks: one of 2^31 reads as past.
        delay = SignExt(WIDE - 32, armed - counted + 1)
        # A timer fires in its tick. If the runner has begun that, it fires in the first tick to which the runner comes.
        self.fires = later(self.now + delay, self.timer_jiffies)
        self.in_tv1 = self.fires < self.limit
        tick = first + Extract(31, 0, self.fires)
        self.slot = If(self.in_tv1, tick & (geometry.tvr_size - 1), upper_slot(geometry, tick, self.next_block))
        self.next_run_after = If(self.fires < self.next, tick, self.next_run)
