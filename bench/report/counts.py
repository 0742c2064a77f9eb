#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes figures out of what count.c wrote. limits.py prints them with their limits, and figures.py writes them into the pages.

counts.py bench DIRECTORY "BUILD .." "N .."                      of `make bench`; BUILD-N.counts, N = 0 for the few timers
counts.py calls DIRECTORY "BUILD .." OPERATION=NAME ..           of two cores; BUILD.counts
"""

import re
import subprocess
import sys
from pathlib import Path

# The numbers of the operations.
number = {name: i for i, name in enumerate(re.findall(r"^    op_(\w+),$", Path("bench/wheel/measure.hpp").read_text(), re.M))}


def output(*command, **more):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def write_figures(path, figures):
    """A figure a line. Takes pairs or a dictionary."""
    path.write_text("".join(f"{name} {value}\n" for name, value in dict(figures).items()))


def print_table(title, *rows):
    """Prints a title, and rows of as many cells each. A column is as wide as its widest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    label, *widths = (max(map(len, column)) for column in zip(*rows))
    print(title)
    for first, *others in rows:
        print("  ".join([first.ljust(label), *(cell.rjust(width) for cell, width in zip(others, widths))]).rstrip())
    print()


def average(total, count):
    """Returns an average with one decimal, rounded up."""
    tenths = -(-total * 10 // count)
    return f"{tenths // 10}.{tenths % 10}"


class Counts:
    """The counts of one run."""

    def __init__(self, path):
        self.operation = {}
        for line in path.read_text().splitlines():
            which, *counts = map(int, line.split())
            self.operation[which] = counts

    def counted(self, name):
        """Count, total, maximum, and longest masked section."""
        return self.operation.get(number[name], (0, 0, 0, 0))

    def masked(self):
        """The longest masked section of all operations."""
        return max(self.counted(name)[3] for name in number)

    def average(self, *names):
        """The instructions of all these for a call of the first."""
        return average(sum(self.counted(name)[1] for name in names), self.counted(names[0])[0])

    def timeout(self, name):
        """The instructions of an arm, 0.9 cancels and a tenth of a tick, on average."""
        return self.average(f"{name}_arm", f"{name}_cancel", f"{name}_tick")

    def worst_tick(self):
        return max(self.counted(name)[2] for name in ("busy_tick", "idle_tick", "far_tick"))


def figures_of_build(counts, sizes):
    """Yields the figures of a build: the worst of every N, unless the name has an N."""
    def longest(*names):
        return max(counts[n].counted(name)[2] for name in names for n in sizes)

    def worst_average(name):
        calls, total = max((counts[n].counted(name)[:2] for n in sizes), key=lambda each: each[1] / each[0])
        return average(total, calls)

    # Small firmware first.
    few, many = counts[0], counts[10000]
    yield "watchdog.tick", few.average("watchdog_tick", "watchdog_restart")
    yield "inactivity.tick", few.average("inactivity_tick", "inactivity_restart")
    yield "time-out.tick", few.average("single_timeout_tick", "single_timeout_arm", "single_timeout_cancel")
    yield "one-shot.tick", few.average("one_shot_tick")
    yield "sleep.average", few.average("sleep_arm", "sleep_ask", "sleep_wake")
    yield "periodic-wakes", few.counted("periodic_wake")[0]
    for name in ("arm", "cancel", "move"):
        yield f"{name}.average", worst_average(name)
    for n in (1000, 10000):
        yield f"busy-tick.{n}", counts[n].average("busy_tick")
    yield "busy-tick.10000.max", many.counted("busy_tick")[2]
    yield "idle-tick.none", worst_average("idle_tick")
    yield "idle-tick.max", longest("idle_tick", "far_tick")
    for name, workload in (("timeouts", "timeout"), ("short-timeouts", "short")):
        yield f"{name}.pair", max((counts[n].timeout(workload) for n in sizes), key=float)
    yield "catch-up", longest("catch_up", "far_catch_up")
    yield "burst-tick.10000", many.counted("burst_tick")[2]
    yield "crowd.tick", many.counted("crowd_tick")[2]
    yield "crowd.callback", many.counted("crowd_callback")[2]
    # The instructions that each timer adds when there are many.
    yield "cascade.tv2", average(many.counted("cascade_tv2")[2] - counts[1000].counted("cascade_tv2")[2], 9000)
    for budget in (1, 64):
        yield f"budget.{budget}", longest(f"budget_{budget}")


def bench(directory, builds, sizes):
    figures, sizes = [], [int(n) for n in sizes.split()]
    for build in builds.split():
        counts = {n: Counts(directory / f"{build}-{n}.counts") for n in (0, *sizes)}
        for each in counts.values():
            for name, count in (("seven", 7), ("loop", 2004)):
                if each.counted(name)[1] != count:
                    sys.exit(f"counts.py: {build}: the counting itself is wrong: {name} is {each.counted(name)[1]}, not {count}")
        figures += [(f"{build}.{name}", value) for name, value in figures_of_build(counts, sizes)]
    write_figures(directory / "figures", figures)


def calls(directory, builds, *names):
    figures = {}
    for build in builds.split():
        counts = Counts(directory / f"{build}.counts")
        for operation, _, name in (word.partition("=") for word in names):
            count, total, longest, masked = counts.counted(operation)
            figures |= {f"{build}.{name}.average": average(total, count), f"{build}.{name}.max": longest,
                        f"{build}.{name}.masked": masked}
    write_figures(directory / "figures", figures)


if __name__ == "__main__":
    {"bench": bench, "calls": calls}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
