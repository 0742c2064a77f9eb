#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .." "GEOMETRY .."; the directory holds timer.o, small_wheel.o and the folders CPU-O. In each are tickwheel.o,
and linked.elf: what a program links that calls mod_timer, timer_delete, tick and run. The programs of features.py go to its
folder features.
"""

import re
import sys
from pathlib import Path

import features
import geometries
import tiny
from tools import output, print_table, write_figures

directory = Path(sys.argv[1])
cpus, levels, geometry_names = (argument.split() for argument in sys.argv[2:])
sections = ("text", "rodata", "data", "bss")


def sizes_of(path):
    """The bytes of each kind of section."""
    found = re.findall(rf"^\.({'|'.join(sections)})\S* +(\d+)", output("arm-none-eabi-size", "-A", path), re.M)
    return {kind: sum(int(size) for name, size in found if name == kind) for kind in sections}


def ram_of(library):
    of = sizes_of(library)
    return of["data"] + of["bss"]


libraries = [directory / f"{cpu}-{level}" / "tickwheel.o" for cpu in cpus for level in levels]
small_wheel = directory / "small_wheel.o"
linked = {}
for library in libraries:
    of = sizes_of(library.with_name("linked.elf"))
    # Code, constants, and the first values of variables.
    linked[library.parent.name] = of["text"] + of["rodata"] + of["data"]
timer = int(re.search(r" (\w+) \w size_of_a_timer$", output("arm-none-eabi-nm", "-S", directory / "timer.o"), re.M)[1], 16)
foreign = sorted(set(output("arm-none-eabi-nm", "-u", *libraries, small_wheel, "-j", "--quiet").split()))
ram = {"ram.wheel": max(map(ram_of, libraries)), "ram.wheel-6-4": ram_of(small_wheel), "ram.timer": timer}

print_table("linked for arm, cancel, tick and run, bytes", ["", *levels],
            *([cpu, *(linked[f"{cpu}-{level}"] for level in levels)] for cpu in cpus))
print("symbols that others must define:", ", ".join(foreign) or "none", "\n")
(directory / "features").mkdir(exist_ok=True)
of_features, rows = features.measure(directory / "features", lambda cpu: directory / f"{cpu}-Os/tickwheel.o")
print_table("each feature, bytes at -Os over a plain timer", ["", "flash M3", "flash M0", "RAM"], *rows)
of_geometries, rows = geometries.measure(directory, geometry_names)
print_table("README's programs on a Cortex-M0 at -Os, bytes", ["", "C flash", "C RAM", "C++ flash", "C++ RAM"], *rows)
of_tiny, rows = tiny.measure(directory)
print_table("examples/tiny at -Os, bytes", ["", *tiny.programs.values(), "the chip"], *rows)
write_figures(directory / "figures", ram | {"undefined-symbols": len(foreign)} | {
    f"linked.{build}": linked[build] for build in ("cortex-m3-Os", "cortex-m0-Os")} | {
        name: of_tiny[name] for core in tiny.programs for name in (f"tiny.{core}.flash", f"tiny.{core}.ram")})
# These have no limits, but figures.py reads them.
write_figures(directory / "details", of_features | of_geometries | of_tiny | {f"linked.{build}": bytes for build, bytes in linked.items()})
