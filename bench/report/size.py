#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .."; the directory holds timer.o and the folders CPU-O-GEOMETRY. In each are the objects of all
sources, and linked.elf: what a program links that calls mod_timer, timer_delete, tick and run.
"""

import re
import sys
from pathlib import Path

from tools import demangled, functions, output, write_figures

directory = Path(sys.argv[1])
cpus = sys.argv[2].split()
levels = sys.argv[3].split()
geometries = ["8-6", "6-4"]


class Object:
    """Sizes by section and by function. Aliases of one address are one function."""

    def __init__(self, path):
        self.sections = {"text": 0, "rodata": 0, "data": 0, "bss": 0}
        for name, size in re.findall(r"^\.(text|rodata|data|bss)\S* +(\d+)", output("arm-none-eabi-size", "-A", path), re.M):
            self.sections[name] += int(size)
        places = {(section, address): (name, size) for address, section, size, name in reversed(functions(path))}
        names = demangled([name for name, _ in places.values()])
        self.functions = {}
        for name, size in places.values():
            self.functions[names[name]] = self.functions.get(names[name], 0) + size
        self.undefined, self.defined = (set(output("arm-none-eabi-nm", which, "-j", path).split())
                                        for which in ("-u", "--defined-only"))

    def code(self):
        """Returns the bytes of code with literals and constant tables."""
        return self.sections["text"] + self.sections["rodata"]


class Library:
    """The objects of a folder, and the sums over them."""

    def __init__(self, folder):
        self.objects = {source.stem: Object(folder / f"{source.stem}.o") for source in sorted(Path("core").glob("*.cpp"))}
        each = self.objects.values()
        self.sections = {name: sum(one.sections[name] for one in each) for name in ("text", "rodata", "data", "bss")}
        self.functions = {}
        for one in each:
            for name, size in one.functions.items():
                self.functions[name] = self.functions.get(name, 0) + size
        self.undefined = set().union(*(one.undefined for one in each)).difference(*(one.defined for one in each))

    def code(self):
        return sum(one.code() for one in self.objects.values())

    def ram(self):
        return self.sections["data"] + self.sections["bss"]


def linked(folder):
    """The bytes of flash that linked.elf takes: code, constants, and the first values of variables."""
    sections = Object(folder / "linked.elf").sections
    return sections["text"] + sections["rodata"] + sections["data"]


def table(heading, rows, columns):
    print(f"{heading:36}" + "".join(f"{column:>14}" for column in columns))
    for name, cells in rows:
        print(f"{name:36}" + "".join(f"{cell:>14}" for cell in cells))
    print()


objects = {}
for cpu in cpus:
    for level in levels:
        for geometry in geometries:
            objects[cpu, level, geometry] = Library(directory / f"{cpu}-{level}-{geometry}")
timer = int(re.search(r" (\w+) \w size_of_a_timer$", output("arm-none-eabi-nm", "-S", directory / "timer.o"), re.M)[1], 16)

for geometry in geometries:
    for level in levels:
        of = [objects[cpu, level, geometry] for cpu in cpus]
        rows = [(name, [each.sections[name] for each in of]) for name in ("text", "rodata", "data", "bss")]
        if geometry == geometries[0]:
            rows.append(("linked: arm, cancel, tick, run", [linked(directory / f"{cpu}-{level}-{geometry}") for cpu in cpus]))
        bits = geometry.replace("-", "/")
        table(f"geometry {bits}, -{level}: bytes", rows, cpus)
        if geometry == geometries[0]:
            names = sorted(set().union(*(each.functions for each in of)))
            table(f"each function, -{level}: bytes",
                  [(name, [each.functions.get(name, "-") for each in of]) for name in names], cpus)

print("RAM: bytes a timer, bytes a wheel (.data and .bss)")
print(f"{'':36}{'timer':>14}{'wheel':>14}")
wheel = {geometry: max(each.ram() for (_, _, of), each in objects.items() if of == geometry) for geometry in geometries}
for geometry in geometries:
    print(f"{'geometry ' + geometry.replace('-', '/'):36}{timer:>14}{wheel[geometry]:>14}")
print()

foreign = sorted(set().union(*(each.undefined for each in objects.values())))
print("symbols that others must define:", ", ".join(foreign) or "none")
print()

figures = {
    "ram.wheel": wheel["8-6"],
    "ram.wheel-6-4": wheel["6-4"],
    "ram.timer": timer,
    **{f"linked.{cpu}-Os": linked(directory / f"{cpu}-Os-8-6") for cpu in ("cortex-m3", "cortex-m0")},
    "undefined-symbols": len(foreign),
}
write_figures(directory / "figures", figures)
# This is for figures.py only.
write_figures(directory / "details", {f"text.{cpu}-{level}": objects[cpu, level, "8-6"].code()
                                      for cpu in cpus for level in levels})
