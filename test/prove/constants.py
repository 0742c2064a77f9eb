# SPDX-License-Identifier: MIT
"""The constants of every legal geometry, from the compiler. Which ones are legal is the compiler's word, too."""
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().with_name("constants.cpp")
OUT = Path("build/prove")
CXX = [os.environ.get("CXX", "g++"), "-std=c++17", "-Icore"]
# More than geometry.hpp allows on each side.
CANDIDATES = [(tvr, tvn) for tvr in range(4, 11) for tvn in range(1, 9)]


@dataclass(frozen=True)
class Level:
    """A level above tv1. Its slots are wheel_slots::first[first] and the next `size` ones."""
    shift: int
    first: int
    size: int
    is_beyond: bool


@dataclass(frozen=True)
class Geometry:
    name: str
    tvr_size: int
    block_size: int
    slot_count: int
    levels: tuple


def compiles(pair):
    source = "#include \"wheel/geometry.hpp\"\ntemplate struct tickwheel::geometry<%d, %d>;\n" % pair
    return subprocess.run([*CXX, "-fsyntax-only", "-x", "c++", "-"], input=source, text=True,
                          stderr=subprocess.DEVNULL).returncode == 0


def geometries():
    pairs = " ".join("PRINT(%d, %d)" % pair for pair in CANDIDATES if compiles(pair))
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / "constants"
    # jiffies.h asks for the symbols of core/tickwheel.cpp.
    subprocess.run([*CXX, f"-DGEOMETRIES(PRINT)={pairs}", "-Iport/host", SOURCE, "core/tickwheel.cpp", "-o", program], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return [Geometry(**{**one, "levels": tuple(Level(*level) for level in one["levels"])}) for one in map(json.loads, lines)]
