#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the figures of `make bench` out of what count.c wrote. limits.py prints them, and figures.py reads them.

report.py DIRECTORY "BUILD .." "N .."; the directory holds BUILD-N.counts.
"""

import sys
from pathlib import Path

from counts import Counts, average
from tools import write_figures

directory = Path(sys.argv[1])
builds = sys.argv[2].split()
sizes = [int(n) for n in sys.argv[3].split()]

# Its masked section is a figure of its own, and longer than those of all other calls.
search = ("no_event", "event")
checks = {"seven": 7, "loop": 2004}


def pair(counts, name):
    return average(counts.total(f"{name}_arm", f"{name}_cancel", f"{name}_tick"), counts.of(f"{name}_arm")[0])


def figures_of(counts):
    """Yields the figures of a build: the worst of every N, unless the name has an N."""
    def most(*names):
        return max(counts[n].of(name)[2] for name in names for n in sizes)

    def worst_average(name):
        calls, total = max((counts[n].of(name)[:2] for n in sizes), key=lambda each: each[1] / each[0])
        return average(total, calls)

    # Small firmware first.
    one, many = counts[10], counts[10000]
    yield "watchdog.tick", average(one.total("watchdog_restart", "watchdog_tick"), one.of("watchdog_tick")[0])
    yield "inactivity.tick", average(one.total("inactivity_restart", "inactivity_tick"), one.of("inactivity_tick")[0])
    yield "time-out.tick", average(one.total("alone_arm", "alone_cancel", "alone_tick"), one.of("alone_tick")[0])
    yield "period-of-1.tick", average(one.total("period_tick"), one.of("period_tick")[0])
    yield "late-cancels.pair", pair(one, "late")
    yield "late-cancels.most", one.of("late_tick")[2]
    yield "loaded-tick.10000.most", many.of("loaded_tick")[2]
    for name in ("arm", "cancel", "restart"):
        yield f"{name}.average", worst_average(name)
        yield f"{name}.most", most(name)
    for n in sizes:
        if n >= 1000:
            yield f"busy-tick.{n}", average(counts[n].of("busy_tick")[1], counts[n].of("busy_tick")[0])
            yield f"busy-tick.{n}.most", counts[n].of("busy_tick")[2]
    yield "idle-tick.none", worst_average("idle_tick")
    yield "idle-tick.far-ahead", worst_average("far_tick")
    yield "idle-tick.most", most("idle_tick", "far_tick")
    for name, of_bench in (("timeouts", "timeout"), ("short-timeouts", "short")):
        yield f"{name}.pair", max((pair(each, of_bench) for each in counts.values()), key=float)
    yield "masked", max(each.masked(*search) for each in counts.values())
    yield "masked.next-event", max(counts[n].of(name)[3] for name in search for n in sizes)
    yield "catch-up", most("catch_up", "far_catch_up")
    yield "burst-tick.10000", many.of("burst_tick")[2]
    yield "crowd.tick", many.of("crowd_tick")[2]
    yield "crowd.callback", many.of("crowd_callback")[2]
    for name in ("cascade_tv2", "cascade_tv3"):
        # What each timer adds, where there are many.
        yield name.replace("_", "."), average(many.of(name)[2] - counts[1000].of(name)[2], 9000)
    for budget in (1, 16, 64):
        yield f"budget.{budget}", most(f"budget_{budget}")
    yield "next-event.none", most("no_event")
    yield "next-event", most("event")


figures = []
for build in builds:
    counts = {n: Counts(directory / f"{build}-{n}.counts") for n in sizes}
    for each in counts.values():
        for name, count in checks.items():
            if each.of(name)[1] != count:
                sys.exit(f"report.py: {build}: the counting itself is wrong: {name} is {each.of(name)[1]}, not {count}")
    figures += [(f"{build}.{name}", value) for name, value in figures_of(counts)]
write_figures(directory / "figures", figures)
