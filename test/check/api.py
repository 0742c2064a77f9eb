# SPDX-License-Identifier: MIT
"""Compares the table of docs/api.md with the public headers, and prints each call that only one of them has. Prints each
report of docs/debugging.md that no source makes."""
import re
import sys
from pathlib import Path


def code(path):
    """A header without its comments and attributes."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\[\[.*?\]\] *", "", Path(path).read_text(), flags=re.S)


def c_calls(path):
    """The functions with the prefix; a name that ends with _ is private."""
    return {name for name in re.findall(r"\b(tickwheel_\w+)\(", code(path)) if not name.endswith("_")}


def linux_calls(path):
    names = set(re.findall(r"^(?:static inline|TICKWHEEL_INLINE) [^(]*?(\w+)\(|^#define (\w+)\(", code(path), re.M))
    return {name for pair in names for name in pair if name and not name.endswith("_")}


def cpp_calls(path):
    """The public functions of each class and its free functions. clang-format puts both at fixed columns."""
    public, names, types = True, set(), set()
    for line in code(path).splitlines():
        begun = re.match(r"(?:class|struct) (\w+)", line)
        if begun:
            types.add(begun[1])
            # A struct here holds data or names for templates, but for the clock.
            public = line.startswith("struct jiffies_clock")
        elif re.match(r"(public|protected|private):", line):
            public = line.startswith("public:")
        elif re.match(r"};", line):
            public = True
        function = re.match(r"(    )?(?!return|typedef|using|static_assert|struct|class)(?:[\w:<>,]+ [*&]?)+(\w+)\([^;]*$", line)
        if function and "operator" not in line and (public or not function[1]):
            names.add(function[2])
    # A constructor has the name of its class.
    return names - types


def table(path):
    """The names in the first three columns of the rows that have five."""
    columns = [set(), set(), set()]
    for line in Path(path).read_text().splitlines():
        cells = line.split(" | ")
        if line.startswith("|") and len(re.split(r"(?<!\\)\|", line)) == 7:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            for column, cell in zip(columns, cells):
                column.update(re.findall(r"`(?:\w+::)?(\w+)(?:<[^>]*>)?\(", cell))
    return columns


c, linux, cpp = table("docs/api.md")
# What a user calls by no name: the parts that templates are made of.
internal = {"call_closure", "duration_longer_than_2_to_the_31_ticks"}
headers = {
    "C": (c, set().union(*map(c_calls, ("core/tickwheel/tickwheel.h", "core/tickwheel/jiffies.h",
                                        "port/cortex_m_systick/tickwheel/systick.h")))),
    "Linux": (linux, linux_calls("core/tickwheel/timer.h") | linux_calls("core/tickwheel/linux_jiffies.h")),
    "C++": (cpp, set().union(*map(cpp_calls, (*sorted(Path("core/tickwheel").glob("*timer.hpp")), "core/tickwheel/chrono.hpp",
                                              "port/counter/tickwheel/counter_tick.hpp"))) - internal),
}
for face, (told, declared) in headers.items():
    if len(declared) < 10:
        sys.exit(f"api.py finds no calls in the headers of {face}")
    for name in sorted(told - declared):
        print(f"docs/api.md, {face}: {name}() is in no header")
    for name in sorted(declared - told):
        print(f"docs/api.md, {face}: {name}() of the headers is not in the table")

# The reports that docs/debugging.md explains, in the code as strings.
sources = "".join(Path(path).read_text() for folder in ("core", "port") for path in sorted(Path(folder).rglob("*.[ch]pp")))
reports = Path("docs/debugging.md").read_text().partition("### What the reports mean")[2]
explained = [report for row in re.findall(r"^\| (`[^|]*) \|", reports, re.M) for report in re.findall("`([^`]*)`", row)]
for report in explained:
    if f'"{report}' not in sources and f'{report}"' not in sources:
        print(f"docs/debugging.md: no source reports '{report}'")
if len(explained) < 10:
    sys.exit("api.py finds no reports in docs/debugging.md")
