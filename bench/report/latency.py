#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long interrupts and callbacks wait on a Cortex-M3: the table of `make latency` and its figures.

latency.py DIRECTORY "LEVEL .." "N .." QEMU ..: the directory holds latency-LEVEL.elf, cortex-m3-LEVEL-N.counts and
count.so; the rest is the command that runs a firmware, without -kernel.
"""

import sys
from itertools import product
from pathlib import Path

from counts import Counts, operations
from tools import output, write_figures

directory = Path(sys.argv[1])
levels = sys.argv[2].split()
sizes = [int(n) for n in sys.argv[3].split()]
qemu = sys.argv[4:]

out = directory / "latency"
out.mkdir(exist_ok=True)
# 25 MHz and 1 kHz, at one instruction a cycle.
instructions_a_tick = 25000
waiting = (100, 1000, 10000)
modes = {"cascade_tv2": 0, "cascade_tv3": 1, "foreign_above": 2, "foreign_below": 3}
# These are no operation on a timer, no tick and no run.
not_timed = {"none", "rearmed", "empty", "seven", "pending", "clock_64", "boundary"}


def run(level, mode, timers, shift):
    """Returns what the firmware printed and what the plugin counted."""
    counts = out / f"{level}-{mode}-{timers}.counts"
    command = [*qemu, "-icount", f"shift={shift},align=off,sleep=off",
               "-plugin", f"{directory / 'count.so'},out={counts}",
               "-device", f"loader,addr=0x21000000,data={timers},data-len=4",
               "-device", f"loader,addr=0x21000004,data={modes[mode]},data-len=4",
               "-kernel", str(directory / f"latency-{level}.elf")]
    return [int(word) for word in output(*command, input="", timeout=120).split()[1:]], Counts(counts)


def masked_table():
    """Prints one row an operation. Returns the longest stretch of each level."""
    counts = {level: {n: Counts(directory / f"cortex-m3-{level}-{n}.counts") for n in sizes} for level in levels}
    print("longest stretch with interrupts masked, in instructions")
    print(f"{'':34}" + "".join(f"{f'-{level}, N = {n}':>16}" for level in levels for n in sizes))
    for name, text in operations:
        if name not in not_timed:
            cells = [counts[level][n].of(name) for level in levels for n in sizes]
            print(f"{text:34}" + "".join(f"{cell[3] if cell[0] else '-':>16}" for cell in cells))
    print()
    return {level: max(each.masked for each in counts[level].values()) for level in levels}


def boundary(level, timers, mode):
    """Returns the instructions from a block's first tick interrupt to the callback due then, and its lag in ticks."""
    (late,), counts = run(level, mode, timers, 0)
    if counts.masked > longest[level]:
        longest[level] = counts.masked
    return counts.of("boundary")[1], late


def most_that_fit(level, prompt, mode):
    """Returns the most timers whose cascade ends in the tick before the block, so that the callback is still on time."""
    # No cascade moves a timer in ten instructions.
    fit, too_many = 1, instructions_a_tick // 10
    while too_many - fit > 1:
        middle = (fit + too_many) // 2
        if boundary(level, middle, mode) == (prompt, 0):
            fit = middle
        else:
            too_many = middle
    return fit


figures = []
longest = masked_table()
print("a callback due at a block's first tick, the oldest of N timers in the slot that cascades for it; instructions from "
      "the tick interrupt on")
print(f"{'':14}{'alone':>8}" + "".join(f"{f'N = {n}':>12}{'late':>10}" for n in waiting) +
      f"{'fit in a tick of ' + str(instructions_a_tick):>26}{'a timer':>9}")
for level, (text, mode, figure) in product(levels, (("tv2", "cascade_tv2", "wait"), ("tv3", "cascade_tv3", "wait.tv3"))):
    prompt, _ = boundary(level, 1, mode)
    waits = {n: boundary(level, n, mode) for n in waiting}
    fit = most_that_fit(level, prompt, mode)
    row = f"{f'{text}, -{level}':14}{prompt:>8}"
    for n, (instructions, late) in waits.items():
        row += f"{instructions:>12}{f'{late} ticks':>10}"
        if late != instructions // instructions_a_tick:
            sys.exit(f"latency.py: {instructions} instructions late, and {late} ticks: ticks were lost")
        figures.append((f"{figure}.{n}.{level}", instructions))
    # Beyond those that fit, each timer costs the same.
    node = (waits[10000][0] - waits[1000][0]) / 9000
    print(row + f"{fit:>26}{node:>9.1f}")
    figures.append((f"{figure}.timer.{level}", f"{node:.1f}"))
    if waits[100] != (prompt, 0):
        sys.exit("latency.py: a cascade that fits in a tick delayed a callback")

print("\na foreign interrupt while N callbacks are due: cycles waited, median, 99 % and most, of so many")
for text, mode in (("callbacks in PendSV, below it", "foreign_above"),
                   ("callbacks in the tick interrupt, above it", "foreign_below")):
    for n in (1, *waiting):
        # 32 ns an instruction, of a cycle's 40.
        (taken, median, most_but_one, most), _ = run("O2", mode, n, 5)
        print(f"{text:44}N = {n:<7}{median:>8}{most_but_one:>8}{most:>8}{taken:>8}")
        if mode == "foreign_above":
            figures.append((f"foreign.{n}", most))

for level in levels:
    figures.append((f"masked.cortex-m3-{level}", longest[level]))
print()
write_figures(out / "figures", figures)
