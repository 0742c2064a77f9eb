#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how long a callback may wait for a cascade, out of what count.c wrote.

latency.py DIRECTORY "BUILD .." "N .."; the directory holds BUILD-N.counts.
"""

import sys
from pathlib import Path

from counts import Counts, average, operations

directory, builds, sizes = Path(sys.argv[1]), sys.argv[2].split(), [int(n) for n in sys.argv[3].split()]
# 25 MHz and 1 kHz, at one instruction a cycle.
a_tick = 25000

print(f"the longest run at a block's end, in instructions; how many timers cascade within a tick of {a_tick}")
print(f"{'':38}" + "".join(f"{f'N = {n}':>12}" for n in sizes) + f"{'a timer':>12}{'fit':>8}")
for build in builds:
    counts = {n: Counts(directory / f"{build}-{n}.counts") for n in sizes}
    for name, text in operations:
        if name.startswith("cascade_"):
            most = {n: counts[n].of(name)[2] for n in sizes}
            *_, few, many = sizes
            fit = many - (most[many] - a_tick) * (many - few) // (most[many] - most[few])
            print(f"{build}: {text:24}" + "".join(f"{most[n]:>12}" for n in sizes) +
                  f"{average(most[many] - most[few], many - few):>12}{max(fit, 0):>8}")
