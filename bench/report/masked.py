# SPDX-License-Identifier: MIT
"""The tables of docs/figures.md that `make masked` and `make worst` write and the goals with -check compare."""

import page

parts = ("wheel", "search", "systick", "counter", "stack")
heading = ["core", "compiler", "level", "choice", "wheel", "`next_event`", "SysTick driver", "counter driver", "stack"]


def read():
    """What the page has: the compilers, and by the first cells of each row the figures of its parts."""
    text = page.read("masked")
    return text.partition(":\n")[0].split(", "), {tuple(row[:4]): dict(zip(parts, row[4:])) for row in page.cells(text)}


def worst(row):
    """The cells of a row in each table of `make worst`, without the most that was met."""
    return [[cell.partition(" /")[0] for cell in cells] for label, *cells in page.cells(page.read("worst")) if label == row]


def write(compilers, rows):
    rows = [[*label, *(figures[part] for part in parts)] for label, figures in rows.items()]
    page.write("masked", f"{', '.join(compilers)}:\n\n{page.table(heading, rows, labels=4)}")
