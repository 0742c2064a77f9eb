#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Brings the figures in README.md and docs/ up to date with what was measured; --check only says whether they are.

readme.py [--check] DIRECTORY; the directory holds figures, details, size/figures, size/details, features/figures, fuzz.txt and field/field.csv,
which plots/field.csv is to be a copy of.

The text of a page is nobody's but its author's. Between two of its markers,

    <!-- figures: promises -->  ...  <!-- end of figures -->

each phrase below stands exactly once, and only the number at each {} of it is written, or compared.
"""

import csv
import re
import sys
from pathlib import Path

from features import features
from limits import compiler, limits, version, version_found

cpus = {"cortex-m0": "M0", "cortex-m0plus": "M0+", "cortex-m3": "M3", "cortex-m4": "M4", "cortex-m7": "M7",
        "cortex-m23": "M23", "cortex-m33": "M33", "cortex-m55": "M55"}

# Each page, and its markers.
pages = {
    Path("README.md"): ["promises"],
    Path("docs/figures.md"): ["instructions", "bytes"],
    Path("docs/timers-in-cpp.md"): ["features"],
    Path("docs/peers.md"): ["field"],
    Path("docs/is-it-for-me.md"): ["choice"],
}
# marker -> [(phrase, the figure of each {})]
blocks = {
    "promises": [
        ("Of {} random expiries {} early, {} late, {} out of order",
         ["fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"]),
        ("masks at most {} instructions on a Cortex-M3, {} on a Cortex-M0, at -O2",
         ["masked.cortex-m3-O2", "masked.cortex-m0-O2"]),
        ("{} bytes of RAM and {} a timer", ["ram.wheel", "ram.timer"]),
        ("{} bytes on a Cortex-M3, {} on a Cortex-M0", ["text.cortex-m3-Os", "text.cortex-m0-Os"]),
    ],
    "instructions": [("arm-none-eabi-g++ {}", ["version"])] + [
        (f"| {row} | {{}} | {{}} | {{}} | {{}} |", [
            f"{figure}.average", f"goal.{figure}.average", f"{figure}.most", f"goal.{figure}.most"])
        for row, figure in (("arm", "arm"), ("cancel", "cancel"), ("move while pending", "restart"))
    ] + [
        ("| tick, nothing due | {} | {} | {} |", ["idle-tick.far-ahead", "goal.idle-tick.far-ahead", "idle-tick.most"]),
        ("| tick, 1000 periodic timers | {} | {} |", ["busy-tick.1000", "goal.busy-tick.1000"]),
        ("| tick, 10 000 periodic timers | {} | {} |", ["busy-tick.10000", "goal.busy-tick.10000"]),
        ("| a time-out: arm, 0.9 cancel, 0.1 tick | {} | {} |", ["timeouts.pair", "goal.timeouts.pair"]),
        ("| run after up to 2^28 empty ticks | | | {} | {} |", ["catch-up", "goal.catch-up"]),
        ("| interrupts masked | | | {} | {} |", ["masked.cortex-m3-O2", "goal.masked.cortex-m3-O2"]),
        ("| interrupts masked, Cortex-M0 | | | {} | {} |", ["masked.cortex-m0-O2", "goal.masked.cortex-m0-O2"]),
    ],
    "bytes": [
        (f"| {name} | {{}} | {{}} | {{}} | {{}} |", [
            f"text.{cpu}-Os", f"text.{cpu}-O2", f"stack.{cpu}-Os", f"stack.{cpu}-O2"])
        for cpu, name in cpus.items()
    ] + [
        ("{} bytes for the M3, where it is {},", ["goal.code.cortex-m3-Os", "code.cortex-m3-Os"]),
        ("{} for the M0, where it is {}.", ["goal.code.cortex-m0-Os", "code.cortex-m0-Os"]),
        ("RAM is {} bytes", ["ram.wheel"]),
        ("smaller wheel {} bytes", ["ram.wheel-6-4"]),
        ("a timer {}.", ["ram.timer"]),
    ],
}
# Every system of the field, from the record that the plots are drawn from.
record = Path(__file__).parent / "plots" / "field.csv"
with open(record, newline="") as file:
    field = list(csv.DictReader(file))
blocks["field"] = [
    (f"| {row['name']} | " + "{} | " * 9 + "{} |", [f"{row['system']}.{figure}" for figure in (
        "1000.arm", "1000.cancel", "1000.busy_tick", "1000.far_tick", "1000.timeout", "10000.worst_tick", "10000.burst_tick",
        "10000.masked", "1000.bytes", "1000.bytes_per_timer")])
    for row in field if row["n"] == "1000"
]
blocks["choice"] = [
    (f"| {n} | {name} | {{}} | {{}} | {{}} | {{}} | {{}} |", [f"{system}.{n}.{figure}" for figure in (
        "arm", "cancel", "far_tick", "masked", "worst_tick")])
    for n in (10, 100, 1000)
    for system, name in (("ordered_list", "ordered list"), ("binary_heap", "binary heap"), ("tickwheel_wheel", "tickwheel"))
]
on_page = ("plain", "member", "lambda", "lambda_of_a_word", "periodic_skip", "periodic_burst", "long", "scoped",
             "chrono_constant", "chrono", "linux", "next_expiry", "second_wheel")
blocks["features"] = [(f"| {label} | {{}} | {{}} | {{}} |", [f"features.{name}.{what}" for what in ("m3", "m0", "ram")])
                      for name, label in features if name in on_page]
number = r"(-?\d+(?: \d{3})*(?:\.\d+)*|-)"


def pattern(phrase):
    """However its words are spaced and wrapped."""
    return number.join(r"\s+".join(re.escape(word) for word in part.split(" ")) for part in phrase.split("{}"))


def shown(value):
    """10 000, but 9999; and - where there is no goal."""
    return f"{int(value):,}".replace(",", " ") if value.isdigit() and len(value) > 4 else value


def read(directory):
    measured = {"version": version}
    for name in ("figures", "details", "size/figures", "size/details", "features/figures"):
        measured.update(line.split() for line in (directory / name).read_text().splitlines())
    for name, (goal, _) in limits.items():
        measured[f"goal.{name}"] = "-" if goal is None else str(goal)
    for row in field:
        measured.update((f"{row['system']}.{row['n']}.{column}", value or "-") for column, value in row.items())
    random_run = re.search(r"geometry 8/6, .*: \d+ operations, (\d+) fired, .* (\d+) early, (\d+) late, (\d+) out of order",
                           (directory / "fuzz.txt").read_text())
    measured.update(zip(("fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"), random_run.groups()))
    return measured


def stop(page, why):
    sys.exit(f"readme.py: {page}, {why}")


def figures_in(page, text):
    """Where each figure's number stands, and its name."""
    for block in pages[page]:
        inside = re.findall(rf"<!-- figures: {block} -->.*?<!-- end of figures -->", text, re.S)
        if len(inside) != 1:
            stop(page, f"figures: {block}: its markers are there {len(inside)} times, not once")
        start = text.index(inside[0])
        for phrase, names in blocks[block]:
            found = list(re.compile(pattern(phrase)).finditer(text, start, start + len(inside[0])))
            if len(found) != 1:
                stop(page, f"figures: {block}: '{phrase}' is there {len(found)} times, not once")
            for i, name in enumerate(names):
                yield found[0].span(i + 1), name


only_check = sys.argv[1] == "--check"
found = version_found()
if found != version:
    print(f"(the pages have the figures of {compiler} {version}; this is {found}: left alone)")
    sys.exit()

directory = Path(sys.argv[-1])
if (directory / "field" / "field.csv").read_bytes() != record.read_bytes():
    sys.exit(f"readme.py: {record} is not what was measured, run make figures")
measured = read(directory)
all_stale = 0
for page in pages:
    text = page.read_text()
    stale = []
    for (start, end), name in sorted(figures_in(page, text), reverse=True):
        old, new = text[start:end], shown(measured[name])
        if old != new:
            stale.append(f"{name} is {new}, not {old}")
            text = text[:start] + new + text[end:]
    if stale and only_check:
        stop(page, f"{len(stale)} stale, run make figures: {'; '.join(reversed(stale))}")
    if stale:
        page.write_text(text)
    all_stale += len(stale)
print(f"README.md and docs/: {f'{all_stale} figures changed' if all_stale else 'their figures are those measured'}")
