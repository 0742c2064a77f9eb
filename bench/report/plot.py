#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of plots/ from peers.csv and host.csv beside them. Same figures, same bytes.

plot.py DIRECTORY

Five systems have a colour, the others are grey. A name stands at the end of its line, a grey one only where it is in
nobody's way. The colours are legible on white and on black: a picture does not know its page.
"""

import csv
import math
import sys
from pathlib import Path

directory = Path(sys.argv[1])

# The order of drawing.
colours = {
    "tickwheel": "#2f81f7",
    "Linux 2.6 wheel": "#1a9e5c",
    "binary heap": "#d9730d",
    "red-black tree": "#e5484d",
    "ordered list": "#a35ce0",
}
style = (
    "text{font:12px system-ui,sans-serif;fill:#737d88}"
    ".title{font-size:14px;font-weight:600}"
    ".named{font-weight:600}"
    "path{fill:none;stroke:#737d88;stroke-linejoin:round;stroke-linecap:round}"
    ".grid{stroke-opacity:.25}.grey{stroke-opacity:.5}.end{stroke-opacity:.5;stroke-width:.7}"
)

panel_width, panel_height = 430, 340
# The axes in a panel. The names stand to the right.
left, right, top, bottom = 42, 302, 48, 290
name_step = 14


def read(name):
    with open(directory / name, newline="") as file:
        return list(csv.DictReader(file))


def decimals(value):
    return f"{value:.1f}".removesuffix(".0")


def path(points, kind, more=""):
    line = "L".join(f"{decimals(x)} {decimals(y)}" for x, y in points)
    return f'<path class="{kind}" {more}d="M{line}"/>'


def text(x, y, what, kind="", more=""):
    kind = f'class="{kind}" ' if kind else ""
    return f'<text {kind}x="{decimals(x)}" y="{decimals(y)}"{more}>{what}</text>'


def short(power):
    return ("1", "10", "100", "1000", "10k", "100k", "1M", "10M", "100M", "1G")[power]


def spread(wanted):
    """Returns places near the wanted ones, at least name_step apart. The wanted ones are in order."""
    places = list(wanted)
    for _ in range(200):
        for i in range(len(places) - 1):
            missing = max(0, name_step - (places[i + 1] - places[i]))
            places[i] -= missing / 2
            places[i + 1] += missing / 2
        places = [min(max(place, top), bottom) for place in places]
    return places


class Panel:
    """A diagram of the lines, name -> [(N, value)]."""

    def __init__(self, lines, title, unit):
        self.lines, self.title, self.unit = lines, title, unit
        numbers = [n for points in self.lines.values() for n, _ in points]
        values = [value for points in self.lines.values() for _, value in points]
        self.first, self.last = (round(math.log10(pick(numbers))) for pick in (min, max))
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def x(self, n):
        return left + (right - left) * (math.log10(n) - self.first) / (self.last - self.first)

    def y(self, value):
        return bottom - (bottom - top) * (math.log10(value) - self.low) / (self.high - self.low)

    def drawn(self):
        yield text(left, 18, self.title, "title") + text(left, 35, self.unit)
        heights = [self.y(10**power) for power in range(self.low, self.high + 1)]
        yield '<path class="grid" d="%s"/>' % "".join(f"M{left} {decimals(y)}H{right}" for y in heights)
        yield "".join(text(left - 6, y + 4, short(power), more=' text-anchor="end"')
                      for power, y in enumerate(heights, self.low))
        middle = ' text-anchor="middle"'
        yield "".join(text(self.x(10**power), bottom + 17, short(power), more=middle)
                      for power in range(self.first, self.last + 1))
        yield text((left + right) / 2, bottom + 34, "timers pending", more=middle)

        places = {name: [(self.x(n), self.y(value)) for n, value in points] for name, points in self.lines.items()}
        for name, points in places.items():
            if name not in colours:
                yield path(points, "grey")
        above = []
        for name in colours:
            if name in places:
                # A line that hides another is dashed, and both can be seen.
                hides = any(len(other) == len(places[name]) and
                            all(abs(p[1] - q[1]) < 2 for p, q in zip(other, places[name])) for other in above)
                above.append(places[name])
                dashes = 'stroke-dasharray="5 7" ' if hides else ""
                width = 3 if name == "tickwheel" else 2
                yield path(places[name], "line", f'style="stroke:{colours[name]};stroke-width:{width}" {dashes}')
        yield from self.names(places)

    def names(self, places):
        ends = {name: points[-1] for name, points in places.items()}
        named = sorted((name for name in colours if name in ends), key=lambda name: ends[name][1])
        taken = {}
        for x in {ends[name][0] for name in named}:
            column = [name for name in named if ends[name][0] == x]
            taken.update(zip(column, spread([ends[name][1] for name in column])))
        for name, (x, y) in sorted(ends.items()):
            if name not in colours and x == right and all(abs(y - other) >= name_step for other in taken.values()):
                taken[name] = y
        for name, y in taken.items():
            x, end = ends[name]
            colour = colours.get(name)
            # A line that ends early has others on its right, lower ones.
            link, place = "", (x + 6, y)
            if x == right:
                link = path([(x + 3, end), (x + 12, y)], "end", f'style="stroke:{colour}" ' if colour else "")
                place = (x + 15, y + 4)
            yield link + text(*place, name, "named" if colour else "", f' style="fill:{colour}"' if colour else "")


note = ("Both axes are logarithmic.", "Grey: the other systems, named where there is room.")


def picture(name, panels):
    """Writes a picture with two panels a row."""
    rows = math.ceil(len(panels) / 2)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * panel_width} {rows * panel_height}">',
             f"<style>{style}</style>"]
    for i, panel in enumerate(panels):
        parts.append(f'<g transform="translate({i % 2 * panel_width} {i // 2 * panel_height})">')
        parts += Panel(*panel).drawn()
        parts.append("</g>")
    if len(panels) % 2 == 1:
        parts += [text(panel_width + left, (rows - 1) * panel_height + top + 18 * i, line) for i, line in enumerate(note)]
    (directory / name).write_text("\n".join([*parts, "</svg>", ""]))


def peers(column):
    """The lines of a column of peers.csv."""
    lines = {}
    for row in read("peers.csv"):
        if row[column]:
            lines.setdefault(row["name"], []).append((int(row["n"]), float(row[column])))
    return lines


def host(workload):
    """The lines of a workload in host.csv."""
    return {row["name"]: [(int(n), float(ns)) for n, ns in row.items() if n.isdigit() and ns]
            for row in read("host.csv") if row["workload"] == workload}


on_average = "instructions on average, Cortex-M3 -O2"
at_most = "instructions at most, Cortex-M3 -O2"
on_a_pc = "nanoseconds on a PC, one run"
picture("cost.svg", [
    (peers("arm"), "Arm, delay 1 to 65 535 ticks", on_average),
    (peers("cancel"), "Cancel", on_average),
    (peers("far_tick"), "Tick, no timer due", on_average),
    (peers("busy_tick"), "Tick, periodic timers", on_average),
])
picture("waits.svg", [
    (peers("worst_tick"), "Worst tick, periodic timers", at_most),
    (peers("burst_tick"), "Worst tick, all timers due at once", at_most),
    (peers("masked"), "Longest stretch with interrupts masked", at_most),
])
picture("host.svg", [
    (host("timeouts"), "A time-out, 90 % cancelled", on_a_pc),
    (host("single"), "Arm, and cancel another timer", on_a_pc),
    (host("ticks"), "Tick, periodic timers", on_a_pc),
])
