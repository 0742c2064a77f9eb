#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of `make bench` out of what count.c wrote, and the figures that limits.py and figures.py read.

report.py DIRECTORY "BUILD .." "N .."; the directory holds BUILD.elf, BUILD-N.counts and tim2.txt.
"""

import sys
from pathlib import Path

from counts import Counts, average, operations
from tools import demangled, functions, write_figures

directory = Path(sys.argv[1])
builds = sys.argv[2].split()
sizes = [int(n) for n in sys.argv[3].split()]

# These are notes and no operations.
hidden = {"none", "rearmed", "boundary"}
once = {"timeout_arm", "timeout_cancel", "timeout_tick"}


def place(elf, address):
    """Returns the function that holds an instruction, and the place in it."""
    start, _, _, name = max(each for each in functions(elf) if each[0] <= address)
    return f"{demangled([name])[name]}+0x{address - start:x} (0x{address:x})"


def print_build(build, counts):
    print(f"{build}: instructions, average (rounded up) and most of a call; the longest masked stretch in it")
    print(f"{'':33}{'calls':>7}" + "".join(f"{f'N = {n}':>27}" for n in sizes))
    print(f"{'':40}" + f"{'average':>12}{'most':>9}{'mask':>6}" * len(sizes))
    for name, text in operations:
        if name in hidden:
            continue
        rows = [counts[n].of(name) for n in sizes]
        row = f"{text:33}{rows[0][0]:>7}"
        for calls, total, most, masked in rows:
            row += f"{average(total, calls):>12}{most:>9}{masked:>6}" if calls else f"{'-':>12}{'-':>9}{'-':>6}"
        print(row)

    def derived(text, cells):
        print(f"{text:40}" + "".join(f"{cell:>12}{'':15}" for cell in cells).rstrip())

    derived("W4 expiries", [counts[n].of("rearmed")[0] for n in sizes])
    derived("W4 per expiry, W5's ticks taken off", [
        average(counts[n].total("busy_tick") - counts[n].total("idle_tick"), counts[n].of("rearmed")[0]) for n in sizes])
    derived("W6 arm, 0.9 cancel, 0.1 tick", [timeouts_pair(counts[n]) for n in sizes])
    print(f"{'W7 longest masked stretch of all':40}" + "".join(f"{counts[n].masked:>27}" for n in sizes))
    elf = directory / f"{build}.elf"
    worst = max(counts.values(), key=lambda each: each.masked)
    print(f"  after {place(elf, worst.masked_from)}\n  up to {place(elf, worst.masked_to)}\n")


def timeouts_pair(counts):
    return average(counts.total(*once), counts.of("timeout_arm")[0])


def worst_average(counts, name):
    calls, total = max((counts[n].of(name)[:2] for n in sizes), key=lambda each: each[1] / each[0])
    return average(total, calls)


def figures_of(counts):
    """Yields the figures that have goals: -O2 on the Cortex-M3, the worst of every N."""
    most = lambda name: max(counts[n].of(name)[2] for n in sizes)
    for name in ("arm", "cancel", "restart"):
        yield f"{name}.average", worst_average(counts, name)
        yield f"{name}.most", most(name)
    yield "idle-tick.none", worst_average(counts, "idle_tick")
    yield "idle-tick.far-ahead", worst_average(counts, "far_tick")
    for n in sizes:
        if n >= 1000:
            yield f"busy-tick.{n}", average(counts[n].total("busy_tick"), counts[n].of("busy_tick")[0])
    yield "timeouts.pair", max((timeouts_pair(counts[n]) for n in sizes), key=float)
    yield "catch-up", max(most(name) for name, _ in operations if "catch_up" in name)


def check(holds, what):
    if not holds:
        sys.exit(f"report.py: {what}")


figures = []
details = {}
all_counts = {}
for build in builds:
    counts = all_counts[build] = {n: Counts(directory / f"{build}-{n}.counts") for n in sizes}
    for each in counts.values():
        check(each.of("empty")[1] == 0 and each.of("seven")[1] == 7, f"{build}: the counting itself is wrong")
    print_build(build, counts)
    if build == "cortex-m3-O2":
        figures += figures_of(counts)
        details["idle-tick.most"] = max(each.of("far_tick")[2] for each in counts.values())
    figures.append((f"masked.{build}", max(each.masked for each in counts.values())))

print("cortex-m3-O2, N = 1000: the same calls counted by TIM2 at -icount shift=0")
print(f"{'':33}{'calls':>7}{'plugin':>10}{'TIM2':>10}")
for line in (directory / "tim2.txt").read_text().splitlines():
    which, calls, total = (int(word) for word in line.split())
    name, text = operations[which]
    counted = all_counts["cortex-m3-O2"][1000].of(name)
    print(f"{text:33}{calls:>7}{counted[1]:>10}{total:>10}")
    check(counted[:2] == [calls, total], "the two do not agree")
print()

write_figures(directory / "figures", figures)
# These are for figures.py only.
write_figures(directory / "details", details)
