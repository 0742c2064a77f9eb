#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects and call graphs, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .."; the directory holds CPU-O-GEOMETRY.o and .ci for each, and timer.o.
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


class CallGraph:
    """GCC's -fcallgraph-info=su. A tail call counts as if the caller's frame were still there."""

    def __init__(self, path):
        text = path.read_text()
        self.frame = {}
        self.dynamic = set()
        for title, size, kind in re.findall(r'^node: \{ title: "(\S+)" label: ".*\\n(\d+) bytes \((.*)\)', text, re.M):
            self.frame[title] = int(size)
            if kind != "static":
                self.dynamic.add(title)
        self.calls = {}
        self.indirect = []
        for caller, called, where in re.findall(r'^edge: \{ sourcename: "(\S+)" targetname: "(\S+)"(.*)\}', text, re.M):
            if called == "__indirect_call":
                self.indirect.append((caller, re.search(r'label: "(.*?)"', where)[1]))
            else:
                self.calls.setdefault(caller, set()).add(called)
        self.names = demangled([title.rpartition(":")[2] for title in self.frame])
        self.recursive = set()
        self.deepest = {title: self.depth(title, ()) for title in self.frame}
        self.below_callback = max(self.frames_to_callback(title) for title in self.frame)

    def depth(self, title, above):
        """Returns the deepest stack of a call and the path to it."""
        if title in above:
            self.recursive.add(title)
            return 0, ()
        below = [self.depth(called, (*above, title)) for called in self.calls.get(title, ()) if called in self.frame]
        size, way = max(below, default=(0, ()))
        return size + self.frame[title], (title, *way)

    def frames_to_callback(self, title):
        """Returns the bytes on the stack below a callback of this call; 0 if it calls none."""
        below = [self.frames_to_callback(called) for called in self.calls.get(title, ()) if called in self.frame]
        inner = max(below, default=0)
        calls_back = inner != 0 or any(caller == title for caller, _ in self.indirect)
        return inner + self.frame[title] if calls_back else 0

    def name(self, title):
        return self.names[title.rpartition(":")[2]]


def table(heading, rows, columns):
    print(f"{heading:36}" + "".join(f"{column:>14}" for column in columns))
    for name, cells in rows:
        print(f"{name:36}" + "".join(f"{cell:>14}" for cell in cells))
    print()


objects = {}
graphs = {}
for cpu in cpus:
    for level in levels:
        for geometry in geometries:
            stem = f"{cpu}-{level}-{geometry}"
            objects[cpu, level, geometry] = Object(directory / f"{stem}.o")
            graphs[cpu, level, geometry] = CallGraph(directory / f"{stem}.ci")
timer = int(re.search(r" (\w+) \w size_of_a_timer$", output("arm-none-eabi-nm", "-S", directory / "timer.o"), re.M)[1], 16)

for geometry in geometries:
    for level in levels:
        of = [objects[cpu, level, geometry] for cpu in cpus]
        stack = [graphs[cpu, level, geometry] for cpu in cpus]
        rows = [(name, [each.sections[name] for each in of]) for name in ("text", "rodata", "data", "bss")]
        rows.append(("code: without " + ", ".join(name[len("tickwheel_"):] for name in sorted(not_code)),
                     [each.code() for each in of]))
        rows.append(("stack, without a callback's", [max(each.deepest.values())[0] for each in stack]))
        rows.append(("stack below a callback", [each.below_callback for each in stack]))
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

print("deepest stack of each function and the way down to it, cortex-m3 -Os, without a callback's")
graph = graphs["cortex-m3", "Os", "8-6"]
for title, (size, way) in sorted(graph.deepest.items(), key=lambda item: (-item[1][0], graph.name(item[0]))):
    if graph.name(title).startswith("tickwheel_"):
        print(f"{size:>6}  {' > '.join(graph.name(each) for each in way)}")
print()

every = graphs.values()
recursive = sorted({graph.name(title) for graph in every for title in graph.recursive})
foreign = sorted({name for each in objects.values() for name in each.undefined})
dynamic = sorted({graph.name(title) for graph in every for title in graph.dynamic})
indirect = sorted({where for graph in every for _, where in graph.indirect})
print("recursion:", ", ".join(recursive) or "none")
print("frames of a size that is not known:", ", ".join(dynamic) or "none")
print("symbols that others must define:", ", ".join(foreign) or "none")
print("indirect calls:", ", ".join(indirect) or "none")
print()

figures = {
    "ram.wheel": wheel["8-6"],
    "ram.wheel-6-4": wheel["6-4"],
    "ram.timer": timer,
    "code.cortex-m3-Os": objects["cortex-m3", "Os", "8-6"].code(),
    "code.cortex-m0-Os": objects["cortex-m0", "Os", "8-6"].code(),
    "stack": max(max(graph.deepest.values())[0] for graph in every),
    "recursive-functions": len(recursive),
    "dynamic-frames": len(dynamic),
    "undefined-symbols": len(foreign),
    "indirect-calls": len(indirect),
}
details = {}
for cpu in cpus:
    for level in levels:
        details[f"text.{cpu}-{level}"] = objects[cpu, level, "8-6"].sections["text"]
        details[f"stack.{cpu}-{level}"] = max(graphs[cpu, level, "8-6"].deepest.values())[0]
write_figures(directory / "figures", figures)
# These are for figures.py only.
write_figures(directory / "details", details)
