#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .."; the directory holds CPU-O-GEOMETRY.o for each, and timer.o.
"""

import re
import sys
from pathlib import Path

from tools import demangled, functions, output, write_figures

directory = Path(sys.argv[1])
cpus = sys.argv[2].split()
levels = sys.argv[3].split()
geometries = ["8-6", "6-4"]

# The figure `code` leaves these out. The conversions and the rounding are inline functions, in no object file.
not_code = {"tickwheel_init", "tickwheel_get_jiffies_64"}


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
        self.undefined = output("arm-none-eabi-nm", "-u", "-j", path).split()

    def code(self):
        """Returns the bytes of code with literals and constant tables."""
        left_out = sum(size for name, size in self.functions.items() if name in not_code)
        return self.sections["text"] + self.sections["rodata"] - left_out

    def ram(self):
        return self.sections["data"] + self.sections["bss"]


def table(heading, rows, columns):
    print(f"{heading:36}" + "".join(f"{column:>14}" for column in columns))
    for name, cells in rows:
        print(f"{name:36}" + "".join(f"{cell:>14}" for cell in cells))
    print()


objects = {}
for cpu in cpus:
    for level in levels:
        for geometry in geometries:
            objects[cpu, level, geometry] = Object(directory / f"{cpu}-{level}-{geometry}.o")
timer = int(re.search(r" (\w+) \w size_of_a_timer$", output("arm-none-eabi-nm", "-S", directory / "timer.o"), re.M)[1], 16)

for geometry in geometries:
    for level in levels:
        of = [objects[cpu, level, geometry] for cpu in cpus]
        rows = [(name, [each.sections[name] for each in of]) for name in ("text", "rodata", "data", "bss")]
        rows.append(("code: without " + ", ".join(name[len("tickwheel_"):] for name in sorted(not_code)),
                     [each.code() for each in of]))
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

foreign = sorted({name for each in objects.values() for name in each.undefined})
print("symbols that others must define:", ", ".join(foreign) or "none")
print()

figures = {
    "ram.wheel": wheel["8-6"],
    "ram.wheel-6-4": wheel["6-4"],
    "ram.timer": timer,
    "code.cortex-m3-Os": objects["cortex-m3", "Os", "8-6"].code(),
    "code.cortex-m0-Os": objects["cortex-m0", "Os", "8-6"].code(),
    "undefined-symbols": len(foreign),
}
write_figures(directory / "figures", figures)
# This is for figures.py only.
write_figures(directory / "details", {f"text.{cpu}-{level}": objects[cpu, level, "8-6"].sections["text"]
                                      for cpu in cpus for level in levels})
