#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares measured figures with the file `limits`, and fails when one is over its limit.

limits.py FIGURES ..; each line of such a file is a name and a number.
"""

import sys
from decimal import Decimal
from pathlib import Path

from tools import output

# name -> (goal or None, limit)
limits = {}
for line in (Path(__file__).parent.parent / "wheel" / "limits").read_text().splitlines():
    words = line.partition("#")[0].split()
    if words and words[0] == "compiler":
        _, compiler, version = words
    elif words:
        name, goal, limit = words
        limits[name] = (None if goal == "-" else Decimal(goal), Decimal(limit))


def version_found():
    return output(compiler, "-dumpfullversion").strip()


def main(paths):
    over = []
    print(f"{'figure':32}{'measured':>10}{'goal':>8}{'limit':>8}")
    for line in (line for path in paths for line in Path(path).read_text().splitlines()):
        figure, value = line.split()
        if figure not in limits:
            sys.exit(f"limits.py: {figure} is not in the file limits")
        goal, limit = limits[figure]
        measured = Decimal(value)
        verdict = "over" if measured > limit else "ok" if goal is None or measured <= goal else "not yet"
        if verdict == "over":
            over.append(figure)
        print(f"{figure:32}{value:>10}{'-' if goal is None else goal:>8}{limit:>8}  {verdict}")
    found = version_found()
    if found != version:
        print(f"(the limits bind for {compiler} {version} only; this is {found})")
    elif over:
        sys.exit(f"limits.py: over the limit: {', '.join(over)}")


if __name__ == "__main__":
    main(sys.argv[1:])
