#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares measured figures with the file `limits` and fails when one is over its limit.

check_limits.py FIGURES ..; each line of such a file is a name and a number.
"""

import sys
from decimal import Decimal
from pathlib import Path

from limits import compiler, limits, version, version_found

found = version_found()
over = []
print(f"{'figure':32}{'measured':>10}{'goal':>8}{'limit':>8}")
for path in sys.argv[1:]:
    for line in Path(path).read_text().splitlines():
        figure, value = line.split()
        measured = Decimal(value)
        if figure not in limits:
            sys.exit(f"check_limits.py: {figure} is not in the file limits")
        goal, limit = limits[figure]
        if measured > limit:
            verdict = "over"
            over.append(figure)
        elif goal is None or measured <= goal:
            verdict = "ok"
        else:
            verdict = "not yet"
        print(f"{figure:32}{value:>10}{'-' if goal is None else goal:>8}{limit:>8}  {verdict}")

if found != version:
    print(f"(the limits bind for {compiler} {version} only; this is {found})")
elif over:
    sys.exit(f"check_limits.py: over the limit: {', '.join(over)}")
