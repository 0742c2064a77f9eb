#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of `make bench` out of what count.c wrote, and the figures that limits.py and figures.py read.

report.py DIRECTORY "BUILD .." "N .."; the directory holds BUILD.elf and BUILD-N.counts.
"""

import sys
from pathlib import Path

from counts import Counts, average, operations
from tools import demangled, functions, print_table, write_figures

directory = Path(sys.argv[1])
builds = sys.argv[2].split()
sizes = [int(n) for n in sys.argv[3].split()]

# Its masked stretch is a figure of its own, and longer than those of all other calls.
search = ("no_event", "event")
checks = {"seven": 7, "loop": 2004}


def place(elf, address):
    """Returns the function that holds an instruction, and the place in it."""
    start, _, _, name = max(each for each in functions(elf) if each[0] <= address)
    return f"{demangled([name])[name]}+0x{address - start:x} (0x{address:x})"


def print_build(build, counts):
    """Each operation. Under N stands its average, then the most and the longest masked section of a call."""
    def each_size(cells):
        return [cell for n in sizes for cell in cells(counts[n], n)]

    def of_operation(name):
        def cells(one, _):
            calls, total, *most_and_masked = one.of(name)[:4]
            return (average(total, calls), *most_and_masked) if calls else "---"
        return each_size(cells)

    print_table(
        f"{build}: instructions, average (rounded up) and most of a call; the longest masked stretch in it",
        ["", "calls", *each_size(lambda _, n: (f"N = {n}", "", ""))], ["", "", *("average", "most", "mask") * len(sizes)],
        *([text, counts[sizes[0]].of(name)[0], *of_operation(name)] for name, text in operations if name != "none"),
        *([f"{text} arm, 0.9 cancel, 0.1 tick", "", *each_size(lambda one, _, name=name: (pair(one, name), "", ""))]
          for text, name in (("W6", "timeout"), ("W6s", "short"))),
        ["W7 longest of all but next_event", "", *each_size(lambda one, _: ("", "", one.masked(*search)[0]))])
    elf = directory / f"{build}.elf"
    _, after, up_to = max(each.masked(*search) for each in counts.values())
    print(f"the longest is after {place(elf, after)}\n              up to {place(elf, up_to)}\n")


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
    yield "masked", max(each.masked(*search)[0] for each in counts.values())
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


def cycles_of(counts):
    """Yields the cycles of a Cortex-M0 and an M0+, for builds that have them, and the microseconds of the most."""
    for index, core in enumerate(("m0", "m0plus")):
        for name in ("arm", "cancel", "restart", "far_tick", "event"):
            each = [(one.of(name)[0], *one.cycles[name][2 * index:2 * index + 2]) for one in counts.values()]
            most = max(most for _, _, most in each)
            yield f"{core}.{name}.average", max((average(total, calls) for calls, total, _ in each), key=float)
            yield f"{core}.{name}.most", most
            for megahertz in (48, 125):
                yield f"{core}.{name}.us-{megahertz}", average(most, megahertz)


figures, cycles = [], {}
for build in builds:
    counts = {n: Counts(directory / f"{build}-{n}.counts") for n in sizes}
    for each in counts.values():
        for name, count in checks.items():
            if each.of(name)[1] != count:
                sys.exit(f"report.py: {build}: the counting itself is wrong: {name} is {each.of(name)[1]}, not {count}")
    print_build(build, counts)
    figures += [(f"{build}.{name}", value) for name, value in figures_of(counts)]
    if counts[sizes[0]].cycles["arm"]:
        its = dict(cycles_of(counts))
        print_table(f"{build}: cycles, without wait states", *its.items())
        cycles.update((f"{build}.{name}", value) for name, value in its.items())
write_figures(directory / "cycles", cycles)
write_figures(directory / "figures", figures)
