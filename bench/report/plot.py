#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws the field, from peers.csv and host.csv beside it: the same bytes from the same figures and the same matplotlib.

plot.py DIRECTORY
"""

import csv
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tickwheel", "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 10,
                            "axes.grid": True, "grid.color": "#dddddd", "legend.frameon": False})
import matplotlib.pyplot as plt

directory = Path(sys.argv[1])

# Colour says what kind it is: wheels blue and green, heaps and trees brown and red, lists grey and dashed.
styles = {
    "tickwheel": ("black", "o", "-"),
    "Linux 2.6 wheel": ("#1f77b4", "s", "-"),
    "24, 60 and 60 slots": ("#17a2c4", "^", "-"),
    "wheels, delay queue": ("#2ca02c", "D", "-"),
    "wheel with rounds": ("#98c21f", "v", "-"),
    "simple wheel": ("#7b5cc4", "P", "-"),
    "wheel, overflow list": ("#66c2a5", "X", "--"),
    "60-slot wheel": ("#3f5fd0", "h", "-"),
    "binary heap": ("#d62728", "s", "-"),
    "std::priority_queue": ("#ff5fa2", "p", "-"),
    "red-black tree": ("#ff7f0e", "^", "-"),
    "Boost.Intrusive tree": ("#e0b000", "d", "-"),
    "std::multimap": ("#8c564b", "v", "-"),
    "skip list": ("#b8860b", "D", "-"),
    "ordered list": ("#444444", "<", "--"),
    "delta list": ("#888888", ">", "--"),
    "unordered list": ("#bbbbbb", "X", "--"),
}


def read(name):
    with open(directory / name, newline="") as file:
        return list(csv.DictReader(file))


def draw(axes, rows, column, title, ylabel):
    """One line a system; returns them by name. Each a little further right, so that equal ones can be told apart."""
    lines = {}
    names = list(dict.fromkeys(row["name"] for row in rows))
    for i, name in enumerate(names):
        aside = 10 ** (0.015 * (i - len(names) / 2))
        points = [(int(row["n"]) * aside, float(row[column])) for row in rows if row["name"] == name and row[column]]
        colour, marker, dashes = styles[name]
        wheel = name == "tickwheel"
        lines[name], = axes.plot(*zip(*points), dashes, color=colour, marker=marker, markersize=5, markeredgecolor="white",
                                 markeredgewidth=0.5, linewidth=2.8 if wheel else 1.4, zorder=3 if wheel else 2)
    axes.set(xscale="log", yscale="log", title=title, xlabel="N, timers pending", ylabel=ylabel)
    # From one power of ten to another, so that both ends have a number.
    low, high = axes.dataLim.intervaly
    axes.set_ylim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
    return lines


def figure(name, panels):
    """Panels side by side, four in two rows, and one legend for all, in the order in which the lines of the upper right one
    end, from above."""
    rows = 2 if len(panels) == 4 else 1
    columns = len(panels) // rows
    drawing, all_axes = plt.subplots(rows, columns, figsize=(3.6 * columns + 2, 4 * rows), layout="constrained", squeeze=False)
    drawn = [draw(axes, *panel) for axes, panel in zip(all_axes.flat, panels)]
    lines = drawn[columns - 1]
    order = sorted(lines, key=lambda name: -lines[name].get_ydata()[-1])
    all_axes[0, -1].legend([lines[name] for name in order], order, loc="center left", bbox_to_anchor=(1.02, 0.5))
    drawing.savefig(directory / name, metadata={"Date": None})
    plt.close(drawing)


field = read("peers.csv")
instructions = "instructions, Cortex-M3 -O2"
figure("cost.svg", [
    (field, "arm", "arm, delay 1 to 65 535 ticks", f"average {instructions}"),
    (field, "cancel", "cancel", f"average {instructions}"),
    ([row for row in field if row["far_tick"]], "far_tick", "tick, none due", f"average {instructions}"),
    (field, "busy_tick", "tick, N periodic timers", f"average {instructions}"),
])
figure("waits.svg", [
    (field, "worst_tick", "worst tick, N periodic timers", instructions),
    (field, "burst_tick", "worst tick, N timers due at once", instructions),
    (field, "masked", "interrupts masked, the longest in all of it", instructions),
])
host = read("host.csv")
figure("host.svg", [
    ([row for row in host if row["workload"] == workload], "ns", title, "ns on a PC, of one run")
    for workload, title in (("timeouts", "a time-out, 90 % cancelled"), ("single", "arm, and cancel another"),
                            ("ticks", "tick, N periodic timers"))
])
