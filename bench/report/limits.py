#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares measured figures with the file `limits`, and fails when one is over its limit.

limits.py [--of FILE] FIGURES ..; each line of such a file is a name and a number. FILE stands beside `limits`. Prints the
measured figures in the form of that file, so that a line can be copied into it.
"""

import sys
from decimal import Decimal
from pathlib import Path

from tools import output

arguments = sys.argv[1:]
file = "limits"
if arguments[:1] == ["--of"]:
    file, *arguments = arguments[1:]
# name -> (goal or None, limit or None), and the lines of the table: (name, the full names of its cells).
limits = {}
lines = []
for line in (Path(__file__).parent.parent / "wheel" / file).read_text().splitlines():
    name, *cells = line.partition("#")[0].split() or [None]
    if name == "compiler":
        compiler, version = cells
    elif name == "builds":
        builds = cells
    elif name:
        names = [name] if len(cells) == 1 else [f"{build}.{name}" for build in builds]
        lines.append((name, names))
        for full, cell in zip(names, cells, strict=True):
            limit, _, goal = cell.partition("/")
            limits[full] = tuple(None if word in ("", "-") else Decimal(word) for word in (goal, limit))


def version_found():
    return output(compiler, "-dumpfullversion").strip()


def main(paths):
    measured = dict(line.split() for path in paths for line in Path(path).read_text().splitlines())
    unknown = measured.keys() - limits.keys()
    if unknown:
        sys.exit(f"limits.py: not in the file limits: {', '.join(sorted(unknown))}")
    over = []
    free = above = 0
    heading = builds if any(len(names) > 1 and names[0] in measured for _, names in lines) else []
    print(f"{'measured/goal':28}" + "".join(f"{build:>16}" for build in heading))
    for name, names in lines:
        if not measured.keys() & set(names):
            continue
        cells = []
        for full in names:
            goal, limit = limits[full]
            value = Decimal(measured[full])
            cells.append(f"{value}" if goal is None else f"{value}/{goal}")
            free += limit is None
            above += goal is not None and value > goal
            if limit is not None and value > limit:
                over.append(f"{full} {value} > {limit}")
        print(f"{name:28}" + "".join(f"{cell:>16}" for cell in cells))
    print(f"{above} above their goal, {free} without a limit")
    found = version_found()
    if found != version:
        print(f"(the limits bind for {compiler} {version} only; this is {found})")
    elif over:
        sys.exit("\n".join(["limits.py: over the limit:", *over]))


if __name__ == "__main__":
    main(arguments)
