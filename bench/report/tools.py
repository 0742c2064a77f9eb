# SPDX-License-Identifier: MIT
"""What the scripts share: the output of a tool, names of functions, files of figures, tables to print."""

import re
import subprocess


def output(*command, **more):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def functions(path):
    """The functions of an object or a program: (address, section, bytes, name)."""
    found = re.findall(r"^(\w+) .{6}F (\S+)\t(\w+) (\S+)$", output("arm-none-eabi-objdump", "-t", path), re.M)
    return [(int(address, 16), section, int(size, 16), name) for address, section, size, name in found]


def short(name):
    """A demangled name without templates, arguments and clones: slots::remove."""
    name = re.sub(r"\(anonymous namespace\)::|\[[^]]*\]", "", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"^.* (?=\S*\()|\(.*|^tickwheel::", "", name).replace("tickwheel::", "").strip()


def demangled(names):
    """The short name of each."""
    return dict(zip(names, map(short, output("arm-none-eabi-c++filt", input="\n".join(names)).splitlines())))


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
