# SPDX-License-Identifier: MIT
"""The table of masked sections on docs/figures.md, which `make masked` writes and `make masked-check` compares."""

import re
from pathlib import Path

page = Path("docs/figures.md")
parts = ("wheel", "search", "systick", "counter", "stack")
block = re.compile(r"(<!-- figures: masked -->\n)(.*?)(<!-- end of figures -->)", re.S)
heading = f"""\
| core | compiler | level | choice | wheel | `next_event` | SysTick driver | counter driver | stack |
|{'---|' * 4}{'--:|' * len(parts)}
"""


def read():
    """What the page has: the compilers, and by the first cells of each row the figures of its parts."""
    text = block.search(page.read_text())[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")][2:]
    return text.partition(":\n")[0].split(", "), {tuple(cells[:4]): dict(zip(parts, cells[4:])) for cells in rows}


def worst(row):
    """The cells of a row in the first table of `make worst`."""
    text = page.read_text().partition("<!-- figures: worst -->")[2]
    return next([cell.strip() for cell in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith(f"| {row} |"))


def write(compilers, rows):
    lines = ["| " + " | ".join([*label, *(figures[part] for part in parts)]) + " |\n" for label, figures in rows.items()]
    text = f"{', '.join(compilers)}:\n\n{heading}{''.join(lines).replace('|  |', '| |')}"
    page.write_text(block.sub(lambda found: found[1] + text + found[3], page.read_text()))
