#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .."; the directory holds timer.o and the folders CPU-O-GEOMETRY. In each are tickwheel.o,
and for the geometry 8-6 linked.elf: what a program links that calls mod_timer, timer_delete, tick and run. The programs of
features.py go to its folder features.
"""

import re
import sys
from itertools import product
from pathlib import Path

import features
from tools import output, print_table, write_figures

directory = Path(sys.argv[1])
cpus, levels = sys.argv[2].split(), sys.argv[3].split()
geometries = ["8-6", "6-4"]
sections = ("text", "rodata", "data", "bss")


def sizes_of(path):
    """The bytes of each kind of section."""
    found = re.findall(rf"^\.({'|'.join(sections)})\S* +(\d+)", output("arm-none-eabi-size", "-A", path), re.M)
    return {kind: sum(int(size) for name, size in found if name == kind) for kind in sections}


builds = {build: directory / "-".join(build) for build in product(cpus, levels, geometries)}
library = {build: sizes_of(folder / "tickwheel.o") for build, folder in builds.items()}
linked = {build: sizes_of(folder / "linked.elf") for build, folder in builds.items() if build[2] == geometries[0]}
# Code, constants, and the first values of variables.
flash = {build: of["text"] + of["rodata"] + of["data"] for build, of in linked.items()}
wheel = {geometry: max(of["data"] + of["bss"] for build, of in library.items() if build[2] == geometry)
         for geometry in geometries}
timer = int(re.search(r" (\w+) \w size_of_a_timer$", output("arm-none-eabi-nm", "-S", directory / "timer.o"), re.M)[1], 16)
foreign = sorted(set(output("arm-none-eabi-nm", "-u", *(folder / "tickwheel.o" for folder in builds.values()), "-j",
                            "--quiet").split()))

for geometry, level in product(geometries, levels):
    keys = [(cpu, level, geometry) for cpu in cpus]
    rows = [[name, *(library[key][name] for key in keys)] for name in sections]
    if geometry == geometries[0]:
        rows.append(["linked: arm, cancel, tick, run", *(flash[key] for key in keys)])
    print_table(f"geometry {geometry.replace('-', '/')}, -{level}: bytes", ["", *cpus], *rows)
print_table("RAM: bytes a timer, bytes a wheel (.data and .bss)", ["", "timer", "wheel"],
            *(["geometry " + geometry.replace("-", "/"), timer, wheel[geometry]] for geometry in geometries))
print("symbols that others must define:", ", ".join(foreign) or "none", "\n")

write_figures(directory / "figures", {
    "ram.wheel": wheel["8-6"], "ram.wheel-6-4": wheel["6-4"], "ram.timer": timer, "undefined-symbols": len(foreign),
    **{f"linked.{cpu}-Os": flash[cpu, "Os", "8-6"] for cpu in ("cortex-m3", "cortex-m0")}})
(directory / "features").mkdir(exist_ok=True)
of_features, rows = features.measure(directory / "features", lambda cpu: builds[cpu, "Os", geometries[0]] / "tickwheel.o")
print_table("each feature, bytes at -Os over a plain timer", ["", "flash M3", "flash M0", "RAM"], *rows)
# These are for figures.py only.
write_figures(directory / "details", of_features | {
    f"text.{cpu}-{level}": of["text"] + of["rodata"] for (cpu, level, geometry), of in library.items() if geometry == "8-6"})
