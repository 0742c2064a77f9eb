# SPDX-License-Identifier: MIT
"""Draws docs/peers-m3.svg from what `make bench-peers` measured. Equal figures give equal bytes.

The colours are legible on white and on black, because a picture does not know its page.
"""

import math
from pathlib import Path

PATH = Path("docs/peers-m3.svg")
panels = (("arm", "Arm, on average"), ("busy_tick", "Tick, periodic timers, on average"),
          ("worst_tick", "Worst tick, periodic timers"))
# The first one is drawn last, so it is on top.
colours = {"tickwheel": "#2f81f7", "Linux 2.6.24": "#1a9e5c", "bare Linux wheel": "#8bbf5a", "hashed wheel": "#c9a227",
           "binary heap": "#d9730d", "ordered list": "#a35ce0", "unordered list": "#737d88"}
style = ("text{font:12px system-ui,sans-serif;fill:#737d88}.title{font-size:14px;font-weight:600}"
         "path{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.grid{stroke:#737d88;stroke-opacity:.25}")
# Both axes are logarithmic, from 10 to 10 000 timers and from 10 to 10^7 instructions.
panel_width, left, right, top, bottom, last_power = 330, 52, 304, 30, 250, 7


def x(power):
    return left + (right - left) * (power - 1) / 3


def y(power):
    return bottom - (bottom - top) * (power - 1) / (last_power - 1)


def label(power):
    return {4: "10 000"}.get(power, str(10**power) if power < 4 else f"10^{power}")


def text(at_x, at_y, words, more=""):
    return f'<text x="{at_x:.1f}" y="{at_y:.1f}"{more}>{words}</text>'


def panel(rows, column, title):
    """The figures of a column against the number of timers, with a line for each system."""
    yield text(left, 16, title, ' class="title"')
    for power in range(1, last_power + 1):
        yield f'<path class="grid" d="M{left} {y(power):.1f}H{right}"/>'
        yield text(left - 6, y(power) + 4, label(power), ' text-anchor="end"')
    for power in range(1, 5):
        yield text(x(power), bottom + 17, label(power), ' text-anchor="middle"')
    for name, colour in reversed(colours.items()):
        points = [(x(math.log10(int(row["n"]))), y(math.log10(float(row[column]))))
                  for row in rows if (row["cpu"], row["name"]) == ("cortex-m3", name)]
        yield f'<path stroke="{colour}" d="M' + "L".join(f"{at_x:.1f} {at_y:.1f}" for at_x, at_y in points) + '"/>'


def picture(rows):
    """The text of the picture. `rows` are those of peers.csv."""
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {panel_width * len(panels)} 310">',
             f"<style>{style}</style>"]
    for i, (column, title) in enumerate(panels):
        lines += [f'<g transform="translate({i * panel_width} 0)">', *panel(rows, column, title), "</g>"]
    for i, (name, colour) in enumerate(colours.items()):
        at = left + i * 136
        lines += [f'<path stroke="{colour}" d="M{at} 292h18"/>', text(at + 24, 296, name)]
    return "\n".join([*lines, "</svg>", ""])
