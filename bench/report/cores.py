#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of `make bench-cores`, and the figures that limits.py and figures.py read.

cores.py DIRECTORY "BUILD .."; the directory holds BUILD.counts.
"""

import sys
from pathlib import Path

from counts import Counts, average
from tools import write_figures

rows = (("cancel_idle", "idle-delete", "a delete of an idle timer"), ("idle_tick", "idle-tick", "a tick with nothing due"),
        ("arm", "arm", "an arm"), ("cancel", "cancel", "a cancel"))

directory = Path(sys.argv[1])
builds = sys.argv[2].split()
counts = {build: Counts(directory / f"{build}.counts") for build in builds}
figures = []
for operation, name, _ in rows:
    for build, each in counts.items():
        count, total, most, masked, *_ = each.of(operation)
        figures += [(f"{build}.{name}.average", average(total, count)), (f"{build}.{name}.most", most),
                    (f"{build}.{name}.masked", masked)]
write_figures(directory / "figures", figures)

print("Instructions: average, most, and the longest masked section; 8192 calls each, 10 timers pending")
print(f"{'':28}" + "".join(f"{build:>20}" for build in builds))
for operation, _, text in rows:
    print(f"{text:28}" + "".join(f"{average(total, count):>10}{most:>5}{masked:>5}"
                                 for count, total, most, masked, *_ in (each.of(operation) for each in counts.values())))
