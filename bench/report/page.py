# SPDX-License-Identifier: MIT
"""The tables of docs/figures.md. Each stands between its two markers, and nothing else does:

    <!-- figures: bytes -->  ...  <!-- end of figures -->
"""

import re
import sys
from pathlib import Path

PATH = Path("docs/figures.md")


def table(heading, rows, labels=1):
    """Lists of cells as a table. The columns after the labels are numbers."""
    lines = ["| " + " | ".join(cells) + " |" for cells in (heading, *rows)]
    lines.insert(1, "|" + "---|" * labels + "--:|" * (len(heading) - labels))
    return "".join(line.replace("|  |", "| |") + "\n" for line in lines)


def cells(text):
    """The rows of a table, without its heading and its rule."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def with_block(text, name, new, path=PATH):
    """The text of a page with another block. `new` is the block, or makes it of the present one."""
    found = list(re.finditer(rf"(?s)<!-- figures: {name} -->\n(.*?)<!-- end of figures -->", text))
    if len(found) != 1:
        sys.exit(f"{path}: the block {name} stands there {len(found)} times, not once")
    start, end = found[0].span(1)
    return text[:start] + (new(text[start:end]) if callable(new) else new) + text[end:]


def read(name):
    """A block of the page."""
    found = []
    with_block(PATH.read_text(), name, lambda block: found.append(block) or block)
    return found[0]


def write(name, new):
    PATH.write_text(with_block(PATH.read_text(), name, new))


# The tables that `make masked` and `make worst` write and the goals with -check compare. `make masked` keeps all of its figures in
# a file, and the page has those of three cores.
PROVED = Path("test/proof/masked/proved")
parts = ("wheel", "search", "systick_tick", "systick", "counter_tick", "counter", "stack")
heading_of_masked = ["core", "level", "wheel", "`next_event`", "SysTick, each tick", "SysTick, sleep", "counter, each tick",
                     "counter, sleep", "stack"]
cores_on_page = ("M0,M0+,M1", "M3", "RV32IMAC")
choices_on_page = {"-": "", "COUNTER=pico": ", one-shot mode"}


def compilers(name):
    """The compilers that a block names in its first line."""
    return read(name).partition(":\n")[0].split(", ")


def write_with_compilers(name, named, tables):
    write(name, f"{', '.join(named)}:\n\n{tables}")


def read_masked():
    """By cores, compiler, level and choice the figures of the parts."""
    rows = [line.split() for line in PROVED.read_text().splitlines() if not line.startswith("#")]
    return {tuple(row[:4]): dict(zip(parts, row[4:])) for row in rows}


def table_of_masked(rows):
    """The table of the page."""
    return table(heading_of_masked, [[cores.replace(",", ", ") + choices_on_page[choice], level, *figures.values()]
                                     for (cores, compiler, level, choice), figures in rows.items()
                                     if cores in cores_on_page and compiler == "GCC" and choice in choices_on_page], labels=2)


def read_worst(row):
    """The cells of a row of `make worst`."""
    return next(figures for label, *figures in cells(read("worst")) if label == row)


def write_masked(named, rows):
    comment = "".join(line for line in PROVED.read_text().splitlines(True) if line.startswith("#"))
    PROVED.write_text(comment + "".join(" ".join((*label, *figures.values())) + "\n" for label, figures in rows.items()))
    write_with_compilers("masked", named, table_of_masked(rows))
