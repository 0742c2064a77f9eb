#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the figures of `make bench-zephyr`, which limits.py prints.

zephyr.py DIRECTORY "N .."; the directory holds N.counts.
"""

import sys
from pathlib import Path

from counts import Counts, average
from tools import write_figures

directory = Path(sys.argv[1])
figures = []
for size in sys.argv[2].split():
    counts = Counts(directory / f"{size}.counts")
    for operation, name in (("add", "add"), ("cancel", "abort"), ("pending", "remaining"), ("busy_tick", "announce")):
        count, total, most, masked, *_ = counts.of(operation)
        figures += [(f"N{size}.{name}.average", average(total, count)), (f"N{size}.{name}.most", most),
                    (f"N{size}.{name}.masked", masked)]
write_figures(directory / "figures", figures)
