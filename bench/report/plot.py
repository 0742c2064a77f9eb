# SPDX-License-Identifier: MIT
"""Draws the three pictures of docs/peers.md from what `make bench-peers` measured. Equal figures give equal bytes.

Four systems have a colour, the others are grey. A name stands at the end of its line, a grey one only where there is room.
The colours are legible on white and on black, because a picture does not know its page.
"""

import math
from pathlib import Path

# The order of drawing.
colours = {
    "tickwheel": "#2f81f7",
    "Linux 2.6.24": "#1a9e5c",
    "binary heap": "#d9730d",
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

# The bars of the Cortex-M0: operations, and systems. The bare wheel is no kernel's, so it is grey.
operations = (("arm", "arm"), ("cancel", "cancel"), ("move", "move while pending"), ("timeout", "a long time-out"),
              ("short_timeout", "a short time-out"), ("far_tick", "tick, nothing due"),
              ("busy_tick", "tick, 1000 periodic timers"))
bar_colours = {"tickwheel": colours["tickwheel"], "Linux 2.6.24": colours["Linux 2.6.24"], "bare Linux wheel": grey}
bar, bar_group, bar_left, bar_width = 14, 54, 190, 560


def decimals(value):
    return f"{value:.1f}".removesuffix(".0")


def path(points, kind, more=""):
    line = "L".join(f"{decimals(x)} {decimals(y)}" for x, y in points)
    return f'<path class="{kind}" {more}d="M{line}"/>'


def text(x, y, what, kind="", more="", anchor=""):
    kind = f'class="{kind}" ' if kind else ""
    anchor = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text {kind}x="{decimals(x)}" y="{decimals(y)}"{anchor}{more}>{what}</text>'


def titles(title, unit):
    return text(left, 18, title, "title") + text(left, 35, unit)


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


def lines(rows, column, title, unit):
    """A diagram of a column against N, for each system of the Cortex-M3. Both axes are logarithmic."""
    points = {}
    for row in rows:
        if row["cpu"] == "cortex-m3" and row[column]:
            points.setdefault(row["name"], []).append((math.log10(int(row["n"])), math.log10(float(row[column]))))
    values = [value for of_system in points.values() for _, value in of_system]
    low, high = math.floor(min(values)), math.ceil(max(values))

    def place(n, value):
        return left + (right - left) * (n - 1) / 3, bottom - (bottom - top) * (value - low) / (high - low)

    yield titles(title, unit)
    heights = {power: place(1, power)[1] for power in range(low, high + 1)}
    yield '<path class="grid" d="%s"/>' % "".join(f"M{left} {decimals(y)}H{right}" for y in heights.values())
    yield "".join(text(left - 6, y + 4, short(power), anchor="end") for power, y in heights.items())
    yield "".join(text(place(power, low)[0], bottom + 17, short(power), anchor="middle") for power in range(1, 5))
    yield text((left + right) / 2, bottom + 34, "timers pending", anchor="middle")

    places = {name: [place(*point) for point in of_system] for name, of_system in points.items()}
    yield from (path(of_system, "grey") for name, of_system in places.items() if name not in colours)
    # tickwheel is on top.
    for name in reversed(colours):
        width = 3 if name == "tickwheel" else 2
        yield path(places[name], "line", f'style="stroke:{colours[name]};stroke-width:{width}" ')
    yield from names({name: of_system[-1][1] for name, of_system in places.items()})


def short(power):
    return f"{10**power:,}".replace(",", " ") if power > 3 else str(10**power)


def names(ends):
    """The names at the ends of the lines."""
    named = sorted(colours, key=ends.get)
    taken = dict(zip(named, spread([ends[name] for name in named])))
    for name, y in sorted(ends.items()):
        if name not in colours and all(abs(y - other) >= name_step for other in taken.values()):
            taken[name] = y
    for name, y in taken.items():
        colour = colours.get(name)
        of_path, of_text = (f'style="stroke:{colour}" ', f' style="fill:{colour}"') if colour else ("", "")
        yield (path([(right + 3, ends[name]), (right + 12, y)], "end", of_path)
               + text(right + 15, y + 4, name, "named" if colour else "", of_text))


def bars(rows, title, unit):
    """The systems of the Cortex-M0, operation by operation, with N = 1000. A bar's length is its instructions."""
    systems = {row["name"]: row for row in rows if row["cpu"] == "cortex-m0" and row["n"] == "1000"}
    longest = max(float(row[column]) for row in systems.values() for column, _ in operations)
    yield titles(title, unit)
    for i, (column, label) in enumerate(operations):
        y = top + 10 + i * bar_group
        yield text(bar_left - 8, y + 1.5 * bar + 4, label, anchor="end")
        for j, (name, colour) in enumerate(bar_colours.items()):
            value = systems[name][column]
            length = bar_width * float(value) / longest
            at = y + j * bar
            # The first bars carry the names of all.
            end = f"{value} {name}" if i == 0 else value
            yield (f'<rect x="{bar_left}" y="{at + 1}" width="{decimals(length)}" height="{bar - 2}" fill="{colour}"/>'
                   + text(bar_left + length + 5, at + 11, end, "named", f' style="fill:{colour}"'))


def picture(width, height, parts):
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
    return "\n".join([svg, f"<style>{style}</style>", *parts, "</svg>", ""])


def pictures(rows):
    """Each file, and what belongs there. `rows` are those of peers.csv."""
    average = "instructions on average, Cortex-M3 -O2"
    both = []
    panels = (("arm", "Arm, delay 1 to 65 535 ticks"), ("busy_tick", "Tick, periodic timers"))
    for i, (column, title) in enumerate(panels):
        both += [f'<g transform="translate({i * panel_width} 0)">', *lines(rows, column, title, average), "</g>"]
    worst = lines(rows, "worst_tick", "Worst tick, periodic timers", "instructions at most, Cortex-M3 -O2")
    m0 = bars(rows, "The wheel and Linux on a Cortex-M0",
              "instructions on average at -O2, 1000 timers pending; shorter is better")
    return {
        Path("docs/peers-m3.svg"): picture(2 * panel_width, panel_height, both),
        Path("docs/peers-worst-tick.svg"): picture(panel_width, panel_height, worst),
        Path("docs/peers-m0.svg"): picture(2 * panel_width, top + 10 + len(operations) * bar_group, m0),
    }
