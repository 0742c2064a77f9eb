#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares measured figures with their limits, and fails when one is over its limit. compilers.py says what holds with another
compiler than that of the limits.

limits.py LIMITS FIGURES; each line of FIGURES is a name and a number. bench/wheel/limits explains the form of LIMITS. A goal of
make has a file of limits to itself, and must measure all of them.
Prints the measured figures in that form, so that a line can be copied into it.
"""

import sys
from decimal import Decimal
from pathlib import Path

from compilers import compiler_of

TOLERANCE = Decimal("1.25")


def read_figures(*paths):
    return dict(line.split() for path in paths for line in path.read_text().splitlines())


class Limits:
    """A file of limits, with the compilers for which they hold."""

    def __init__(self, path):
        # name -> limit and compiler; the names that hold an average; and the lines of the table: (name, names of its cells).
        self.by_name, self.compiler_of, self.averages, self.lines, self.builds = {}, {}, set(), [], []
        # What docs/figures.md calls each line, and its name.
        self.labels = []
        for line in path.read_text().splitlines():
            figures, _, label = line.partition("#")
            name, *cells = figures.split() or [None]
            if name == "compiler":
                compiler = " ".join(cells)
            elif name == "builds":
                self.builds = cells
            elif name:
                names = [name] if len(cells) == 1 else [f"{build}.{name}" for build in self.builds]
                self.lines.append((name, names))
                self.labels += [(label.strip(), name)] if label else []
                for full, limit in zip(names, cells, strict=True):
                    self.by_name[full], self.compiler_of[full] = Decimal(limit), compiler
                    # The tick of a burst is the average of its 10 000 callbacks.
                    if "." in limit or name.startswith("burst-tick"):
                        self.averages.add(full)

    def most(self, name, used):
        """What the figure may be at most with this compiler, or None."""
        if used == self.compiler_of[name]:
            return self.by_name[name]
        return self.by_name[name] * TOLERANCE if name in self.averages else None


def main(limits, measured):
    for what, names in (("without a limit", measured.keys() - limits.by_name.keys()),
                        ("not measured", limits.by_name.keys() - measured.keys())):
        if names:
            sys.exit(f"limits.py: {what}: {', '.join(sorted(names))}")
    used = {named: compiler_of(named.split()[0]) for named in set(limits.compiler_of.values())}
    over = []
    print(f"{'measured':28}" + "".join(f"{build:>16}" for build in limits.builds))
    for name, names in limits.lines:
        cells = []
        for full in names:
            value, most = Decimal(measured[full]), limits.most(full, used[limits.compiler_of[full]])
            cells.append(measured[full])
            if most is not None and value > most:
                over.append(f"{full} {value} > {most}")
        print(f"{name:28}" + "".join(f"{cell:>16}" for cell in cells))
    for named, other in used.items():
        if other != named:
            print(f"(these are of {other}; the limits are of {named}: only averages bind, up to a quarter above)")
    if over:
        sys.exit("\n".join(["limits.py: over the limit:", *over]))


if __name__ == "__main__":
    main(Limits(Path(sys.argv[1])), read_figures(Path(sys.argv[2])))
