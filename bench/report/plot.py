#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the three pictures of docs/peers.md from what `make bench-peers` measured. The same figures give the same bytes.

plot.py [--check] DIRECTORY; the directory holds peers.csv. With --check it only compares.

Five systems have a colour, the others are grey. A name stands at the end of its line, a grey one only where there is room.
The colours are legible on white and on black, because a picture does not know its page.
"""

import csv
import math
import sys
from pathlib import Path

from limits import version, version_found

docs = Path("docs")
with open(Path(sys.argv[-1]) / "peers.csv", newline="") as file:
    rows = list(csv.DictReader(file))

# The order of drawing.
colours = {
    "tickwheel": "#2f81f7",
    "Linux 2.6.24": "#1a9e5c",
    "binary heap": "#d9730d",
    "red-black tree": "#e5484d",
    "ordered list": "#a35ce0",
}
grey = "#737d88"
style = (
    f"text{{font:12px system-ui,sans-serif;fill:{grey}}}"
    ".title{font-size:14px;font-weight:600}"
    ".named{font-weight:600}"
    f"path{{fill:none;stroke:{grey};stroke-linejoin:round;stroke-linecap:round}}"
    ".grid{stroke-opacity:.25}.grey{stroke-opacity:.5}.end{stroke-opacity:.5;stroke-width:.7}"
)

panel_width, panel_height = 456, 340
# The axes in a panel. The names stand to the right.
left, right, top, bottom = 76, 322, 48, 290
name_step = 14


def decimals(value):
    return f"{value:.1f}".removesuffix(".0")


def path(points, kind, more=""):
    line = "L".join(f"{decimals(x)} {decimals(y)}" for x, y in points)
    return f'<path class="{kind}" {more}d="M{line}"/>'


def text(x, y, what, kind="", more=""):
    kind = f'class="{kind}" ' if kind else ""
    return f'<text {kind}x="{decimals(x)}" y="{decimals(y)}"{more}>{what}</text>'


def end_at(x, y, what):
    return text(x, y, what, more=' text-anchor="end"')


def in_the_middle(x, y, what):
    return text(x, y, what, more=' text-anchor="middle"')


def short(power):
    return ("1", "10", "100", "1000", "10 000", "100 000", "1 000 000", "10 000 000")[power]


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


class Lines:
    """A diagram of a column against N, for each system of the Cortex-M3. Both axes are logarithmic."""

    def __init__(self, column, title, unit):
        self.title, self.unit = title, unit
        self.lines = {}
        for row in rows:
            if row["cpu"] == "cortex-m3" and row[column]:
                self.lines.setdefault(row["name"], []).append((int(row["n"]), float(row[column])))
        values = [value for points in self.lines.values() for _, value in points]
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(self, n, value):
        return (left + (right - left) * (math.log10(n) - 1) / 3,
                bottom - (bottom - top) * (math.log10(value) - self.low) / (self.high - self.low))

    def drawn(self):
        yield text(left, 18, self.title, "title") + text(left, 35, self.unit)
        heights = {power: self.place(10, 10**power)[1] for power in range(self.low, self.high + 1)}
        yield '<path class="grid" d="%s"/>' % "".join(f"M{left} {decimals(y)}H{right}" for y in heights.values())
        yield "".join(end_at(left - 6, y + 4, short(power)) for power, y in heights.items())
        yield "".join(in_the_middle(self.place(10**power, 10**self.low)[0], bottom + 17, short(power)) for power in range(1, 5))
        yield in_the_middle((left + right) / 2, bottom + 34, "timers pending")

        places = {name: [self.place(*point) for point in points] for name, points in self.lines.items()}
        for name, points in places.items():
            if name not in colours:
                yield path(points, "grey")
        # tickwheel is on top.
        for name in reversed(colours):
            width = 3 if name == "tickwheel" else 2
            yield path(places[name], "line", f'style="stroke:{colours[name]};stroke-width:{width}" ')
        yield from self.names({name: points[-1][1] for name, points in places.items()})

    @staticmethod
    def names(ends):
        named = sorted(colours, key=ends.get)
        taken = dict(zip(named, spread([ends[name] for name in named])))
        for name, y in sorted(ends.items()):
            if name not in colours and all(abs(y - other) >= name_step for other in taken.values()):
                taken[name] = y
        for name, y in taken.items():
            colour = colours.get(name)
            style_of = f'style="stroke:{colour}" ' if colour else ""
            yield path([(right + 3, ends[name]), (right + 12, y)], "end", style_of) + text(
                right + 15, y + 4, name, "named" if colour else "", f' style="fill:{colour}"' if colour else "")


class Bars:
    """The systems of the Cortex-M0, operation by operation, with N = 1000. A bar's length is its instructions."""
    operations = (("arm", "arm"), ("cancel", "cancel"), ("move", "move while pending"), ("timeout", "a long time-out"),
                  ("short_timeout", "a short time-out"), ("far_tick", "tick, nothing due"),
                  ("busy_tick", "tick, 1000 periodic timers"))
    # The bare wheel is no kernel's, so it is grey.
    bar_colours = {"tickwheel": colours["tickwheel"], "Linux 2.6.24": colours["Linux 2.6.24"], "bare Linux wheel": grey}
    bar, group, x, width = 14, 54, 190, 560

    def __init__(self, title, unit):
        self.title, self.unit = title, unit
        self.systems = {row["name"]: row for row in rows if row["cpu"] == "cortex-m0" and row["n"] == "1000"}
        self.longest = max(float(row[column]) for row in self.systems.values() for column, _ in self.operations)
        self.height = top + 10 + len(self.operations) * self.group

    def drawn(self):
        yield text(left, 18, self.title, "title") + text(left, 35, self.unit)
        for i, (column, label) in enumerate(self.operations):
            y = top + 10 + i * self.group
            yield end_at(self.x - 8, y + 1.5 * self.bar + 4, label)
            for j, (name, colour) in enumerate(self.bar_colours.items()):
                value = self.systems[name][column]
                length = self.width * float(value) / self.longest
                at = y + j * self.bar
                # The first bars carry the names of all.
                end = f"{value} {name}" if i == 0 else value
                yield (f'<rect x="{self.x}" y="{at + 1}" width="{decimals(length)}" height="{self.bar - 2}" fill="{colour}"/>'
                       + text(self.x + length + 5, at + 11, end, "named", f' style="fill:{colour}"'))


def picture(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">', f"<style>{style}</style>",
                      *parts, "</svg>", ""])


def beside_each_other(*panels):
    for i, panel in enumerate(panels):
        yield f'<g transform="translate({i * panel_width} 0)">'
        yield from panel.drawn()
        yield "</g>"


unit = "instructions on average, Cortex-M3 -O2"
m0 = Bars("The wheel and Linux on a Cortex-M0", "instructions on average at -O2, 1000 timers pending; shorter is better")
pictures = {
    docs / "peers-m3.svg": picture(2 * panel_width, panel_height, beside_each_other(
        Lines("arm", "Arm, delay 1 to 65 535 ticks", unit), Lines("busy_tick", "Tick, periodic timers", unit))),
    docs / "peers-worst-tick.svg": picture(panel_width, panel_height, Lines(
        "worst_tick", "Worst tick, periodic timers", "instructions at most, Cortex-M3 -O2").drawn()),
    docs / "peers-m0.svg": picture(2 * panel_width, m0.height, m0.drawn()),
}
for file, drawn in pictures.items():
    if version_found() != version:
        break
    if sys.argv[1] != "--check":
        file.write_text(drawn)
    elif not file.exists() or file.read_text() != drawn:
        sys.exit(f"plot.py: {file} is stale, run make figures")
