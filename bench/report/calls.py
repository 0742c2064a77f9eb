#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the figures of `make bench-cores` and `make bench-zephyr`, which limits.py prints: of each call the average, the
most, and the longest masked section.

calls.py DIRECTORY "BUILD .." OPERATION=NAME ..; the directory holds BUILD.counts. wheel/measure.hpp has the operations.
"""

import sys
from pathlib import Path

from counts import Counts, average
from tools import write_figures

directory = Path(sys.argv[1])
figures = {}
for build in sys.argv[2].split():
    counts = Counts(directory / f"{build}.counts")
    for operation, _, name in (word.partition("=") for word in sys.argv[3:]):
        count, total, most, masked = counts.of(operation)
        figures |= {f"{build}.{name}.average": average(total, count), f"{build}.{name}.most": most,
                    f"{build}.{name}.masked": masked}
write_figures(directory / "figures", figures)
