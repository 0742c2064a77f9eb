# SPDX-License-Identifier: MIT
"""The legal geometries of core/wheel/geometry.hpp, and the slot of a tick in each level, as terms of the solver."""
import os
import subprocess
from dataclasses import dataclass

from z3 import And, Extract, If, LShR, UGE, ULT


@dataclass(frozen=True)
class Level:
    """A level above tv1. The slots of all levels are numbered in one row, and `first` is the first of these."""
    shift: int
    first: int
    size: int
    is_overflow: bool = False

    def index(self, tick):
        return LShR(tick, self.shift) & (self.size - 1)

    def own_slot(self, next_block):
        return Extract(9, 0, self.first + self.index(next_block))

    def slot(self, tick, next_block):
        """The overflow level always gives the slot of the range after that of next_block."""
        return Extract(9, 0, self.first + self.index(next_block + (1 << self.shift) if self.is_overflow else tick))

    def has(self, slot):
        return And(UGE(slot, self.first), ULT(slot, self.first + self.size))

    def begins_at(self, tick):
        return tick & ((1 << self.shift) - 1) == 0


@dataclass(frozen=True)
class Geometry:
    tvr_bits: int
    tvn_bits: int

    @property
    def name(self):
        return f"{self.tvr_bits}{self.tvn_bits}"

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
            found.append(Level(range_bits, self.tvr_size + 5 * size, 2, True))
        return tuple(found)

    @property
    def slot_count(self):
        return self.tvr_size + sum(level.size for level in self.levels)

    @property
    def is_legal(self):
        source = f"#include \"wheel/geometry.hpp\"\ntemplate struct tickwheel::geometry<{self.tvr_bits}, {self.tvn_bits}>;\n"
        return subprocess.run([os.environ.get("CXX", "g++"), "-std=c++17", "-Icore", "-fsyntax-only", "-x", "c++", "-"],
                              input=source, text=True, stderr=subprocess.DEVNULL).returncode == 0

    def tv1_slot(self, tick):
        return Extract(9, 0, tick & (self.tvr_size - 1))

    def upper_slot(self, tick, next_block):
        """The highest level whose slots are not wider than the distance: its range has the distance."""
        slot = self.levels[0].slot(tick, next_block)
        for level in self.levels[1:]:
            slot = If(UGE(tick - next_block, 1 << level.shift), level.slot(tick, next_block), slot)
        return slot


def geometries():
    # More than geometry.hpp allows on each side.
    every = (Geometry(tvr_bits, tvn_bits) for tvr_bits in range(4, 11) for tvn_bits in range(1, 9))
    return [one for one in every if one.is_legal]
