#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares measured figures with their limits, and fails when one is over its limit.

limits.py LIMITS FIGURES; each line of FIGURES is a name and a number. bench/wheel/limits explains the form of LIMITS.
Prints the measured figures in that form, so that a line can be copied into it.
"""

import sys
from decimal import Decimal
from pathlib import Path

from counts import output


def read_figures(*paths):
    return dict(line.split() for path in paths for line in path.read_text().splitlines())


class Limits:
    """A file of limits, with the compiler for which they hold."""

    def __init__(self, path):
        # name -> (goal or None, limit), and the lines of the table: (name, the full names of its cells).
        self.by_name, self.lines, self.builds = {}, [], []
        # What docs/figures.md calls each line, and its name.
        self.labels = []
        for line in path.read_text().splitlines():
            figures, _, label = line.partition("#")
            name, *cells = figures.split() or [None]
            if name == "compiler":
                self.compiler, self.version = cells
            elif name == "builds":
                self.builds = cells
            elif name:
                names = [name] if len(cells) == 1 else [f"{build}.{name}" for build in self.builds]
                self.lines.append((name, names))
                self.labels += [(label.strip(), name)] if label else []
                for full, cell in zip(names, cells, strict=True):
                    limit, _, goal = cell.partition("/")
                    self.by_name[full] = Decimal(goal) if goal else None, Decimal(limit)

    def other_compiler(self):
        """The version of the compiler that is installed, if that is another one than that of the limits."""
        found = output(self.compiler, "-dumpfullversion").strip()
        return found if found != self.version else None


def main(limits, measured):
    if not measured:
        sys.exit("limits.py: no figures")
    unknown = measured.keys() - limits.by_name.keys()
    if unknown:
        sys.exit(f"limits.py: without a limit: {', '.join(sorted(unknown))}")
    over = []
    heading = limits.builds if any(len(names) > 1 and names[0] in measured for _, names in limits.lines) else []
    print(f"{'measured/goal':28}" + "".join(f"{build:>16}" for build in heading))
    for name, names in limits.lines:
        if not measured.keys() & set(names):
            continue
        cells = []
        for full in names:
            goal, limit = limits.by_name[full]
            value = Decimal(measured[full])
            cells.append(f"{value}" if goal is None else f"{value}/{goal}")
            if value > limit:
                over.append(f"{full} {value} > {limit}")
        print(f"{name:28}" + "".join(f"{cell:>16}" for cell in cells))
    if other := limits.other_compiler():
        print(f"(the limits bind for {limits.compiler} {limits.version} only; this is {other})")
    elif over:
        sys.exit("\n".join(["limits.py: over the limit:", *over]))


if __name__ == "__main__":
    main(Limits(Path(sys.argv[1])), read_figures(Path(sys.argv[2])))
