# SPDX-License-Identifier: MIT
"""What the scripts share: the output of a tool, files of figures, tables to print."""

import subprocess


def output(*command, **more):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def write_figures(path, figures):
    """A figure a line, for limits.py and figures.py. Takes pairs or a dictionary."""
    path.write_text("".join(f"{name} {value}\n" for name, value in dict(figures).items()))


def read_figures(*paths):
    return dict(line.split() for path in paths for line in path.read_text().splitlines())


def print_table(title, *rows):
    """Prints a title, and rows of as many cells each. A column is as wide as its widest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    label, *widths = (max(map(len, column)) for column in zip(*rows))
    print(title)
    for first, *others in rows:
        print("  ".join([first.ljust(label), *(cell.rjust(width) for cell, width in zip(others, widths))]).rstrip())
    print()
