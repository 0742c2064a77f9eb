#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what was measured: tables of docs/figures.md, is-it-for-me.md and multicore.md, and numbers in the text of two more
pages.

figures.py [--check] DIRECTORY; with --check it only compares, and prints what differs. DIRECTORY is build/bench, with the
output of bench, bench-few, size, bench-cores and bench-one-shot, and fuzz.txt.
"""

import difflib
import re
import sys
from pathlib import Path

import page
from compilers import compiler_of, others
from counts import average
from limits import Limits, read_figures
from few import kinds, rows_of_queues
from size import features, tiny_programs, tiny_rows

directory = Path(sys.argv[-1])
limits, limits_size = (Limits(Path(path)) for path in ("bench/wheel/limits", "bench/wheel/limits_size"))
README, SILICON = Path("README.md"), Path("docs/silicon.md")
IS_IT_FOR_ME, MULTICORE = Path("docs/is-it-for-me.md"), Path("docs/multicore.md")

# The words are the page's. Only the number at each {} is written. Each phrase stands there once, however it is wrapped.
promises = {README: (
    ("{} random expiries: {} early, {} late, {} out of order", ["fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"]),
    ("the first callback starts {} instructions into it", ["cortex-m3-Os.crowd.callback"]),
    ("no call masks more than {} instructions on a Cortex-M3 and {} on a Cortex-M0 ({} us at 48 MHz, or {} us on an M0+)",
     ["M3 GCC -Os.wheel", "M0 GCC -Os.wheel", "worst.wheel.m0-48", "worst.wheel.m0plus-48"]),
    ("in one-shot mode {} and {}", ["M3 GCC -Os, one-shot mode.wheel", "M0 GCC -Os, one-shot mode.wheel"]),
    ("a search for the next event masks at most {} us", ["worst.search.m0-48"]),
    ("the SysTick driver masks at most {} us in each tick and {} us around a sleep, the counter driver {} us and {} us",
     [f"worst.{part}.m0-48" for part in ("systick_tick", "systick", "counter_tick", "counter")]),
    ("A wheel takes {}, {} or {} bytes of RAM, as [your chip](docs/getting-started.md#on-a-chip-with-2-to-8-kb-of-ram) allows, "
     "and a timer {}. With the first you link {} bytes on a Cortex-M3 and {} on a Cortex-M0",
     ["geometry.86.wheel", "geometry.64.wheel", "geometry.62.wheel", "ram.timer",
      "linked.cortex-m3-Os", "linked.cortex-m0-Os"]),
    ("the program in C below takes {} bytes", ["geometry.62.c.ram"]),
), SILICON: (
    ("masked by the wheel: 144 cycles, allowed 187; proved {} instructions", ["M0 GCC -Os.wheel"]),
    ("masked by sleep: 876 cycles, allowed 1914; proved {} instructions", ["M0 GCC -Os.systick"]),
)}
number = r"(-?\d+(?: \d{3})*(?:\.\d+)*)"

# The parts of the library whose masked sections README has in microseconds, and their rows in the table of `make worst`.
worst = {"wheel": "interrupts masked", "search": "interrupts masked in next_event",
         "systick_tick": "interrupts masked in each tick by the SysTick driver",
         "systick": "interrupts masked around a sleep by the SysTick driver",
         "counter_tick": "interrupts masked in each tick by the counter driver",
         "counter": "interrupts masked around a sleep by the counter driver"}

cores_of_geometries = {"cortex-m0": "M0", "cortex-m3": "M3", "rv32imac": "RV32IMAC", "rv32ec": "RV32EC"}
geometries = ("86", "64", "62", "1")
cpus_of_few = {"cortex-m3": "Cortex-M3", "cortex-m0": "Cortex-M0"}

# marker -> what its rows are, columns, rows. A column has a heading, and its figures with {0} for the name of a row.
tables = {
    "instructions": (
        f"`make bench`, {limits.compiler_of['cortex-m3-O2.arm.average']}",
        [("M3 -O2", "cortex-m3-O2.{0}"), ("M3 -Os", "cortex-m3-Os.{0}"), ("M0 -O2", "cortex-m0-O2.{0}"), ("M0 -Os", "cortex-m0-Os.{0}")],
        limits.labels),
    "linked": (
        "`make size`, bytes of flash", [("-Os", "linked.{0}-Os"), ("-O2", "linked.{0}-O2")],
        [(core, f"cortex-{core.lower()}") for core in "M0 M3 M23 M55".split()]),
    "geometries": (
        "bytes; flash at -Os",
        [("RAM", "geometry.{0}.wheel"), ("a timer", "ram.timer"),
         *((core, f"geometry.{{0}}.{name}") for name, core in cores_of_geometries.items()),
         ("idle tick", "geometry.{0}.idle"), ("worst tick, 16 timers", "geometry.{0}.worst")],
        [(f"`{name}`", name) for name in geometries]),
    "programs": (
        "bytes, Cortex-M0 -Os",
        [(f"{program}: {memory}", f"geometry.{{0}}.{language}.{memory.lower()}")
         for program, language in (("in C", "c"), ("in C++, sleeps", "cpp")) for memory in ("RAM", "flash")],
        [(f"`{name}`", name) for name in geometries]),
    "features": (
        "bytes at -Os, over a plain timer",
        [("flash M3", "features.{0}.m3"), ("flash M0", "features.{0}.m0"), ("RAM", "features.{0}.ram")],
        [(label, name) for name, label, *_ in features]),
    "tiny": (
        "`examples/tiny`, bytes at -Os",
        [*((core, f"tiny.{name}.{{0}}") for name, core in tiny_programs.items()), ("the chip", "tiny.chip.{0}")],
        [(label, name) for name, label in tiny_rows]),
    "one-shot": (
        "`make bench-one-shot`, instructions at -O2",
        [(f"{core}, {name}", f"{queue}-{cpu}-{{0}}.average") for core, cpu in (("M3", "cortex-m3"), ("M0", "cortex-m0"))
         for queue, name in (("tick", "a tick"), ("wheel", "wheel"), ("list", "list"))],
        [("arm, the alarm stays", "1.arm"), ("arm, the alarm moves", "1.alarm"),
         *((f"a time-out is armed, {n} pending", f"{n}.timeout-arm") for n in (1, 10, 100, 1000)),
         ("it is deleted", "1000.timeout-cancel"),
         ("the interrupt of a timer of 1 ms, up to its callback", "1.entry"), ("the rest of that interrupt", "1.rest")]),
}

tables_of_is_it_for_me = {
    "break-even": (
        "fewer instructions at -O2, from this number of timers on",
        [(name, f"few.from.{{0}}.{cpu}") for cpu, name in cpus_of_few.items()],
        [(label, kind) for kind, label in kinds.items()]),
    "queues": (
        "instructions at -O2", [(f"{cores_of_geometries[cpu]}, {queue}", f"queues.{cpu}.{queue}.{{0}}")
                                for cpu in cpus_of_few for queue in ("list", "wheel")],
        [(label, row) for row, label in rows_of_queues.items()]),
}

tables_of_multicore = {
    "cores": (
        "Cortex-M33, instructions without contention",
        [(f"{wheels}, {level}", f"{wheel}{level}.{{0}}") for level in ("-Os", "-O2") for wheels, wheel in (
            ("one core", "one"), ("two cores", "two"))],
        Limits(Path("bench/cores/limits")).labels),
}


def shown(value):
    """10 000.5, but 9999."""
    whole, point, rest = value.partition(".")
    return f"{int(whole):,}".replace(",", " ") + point + rest if whole.isdigit() and len(whole) > 4 else value


def read():
    """All figures by their names."""
    measured = read_figures(*(directory / name for name in (
        "figures", "size/figures", "size/details", "cores/figures", "one_shot/figures",
        "few/figures")))
    # `make masked` proves these, and `make worst` the others.
    for (cores, compiler, level, choice), parts in page.read_masked().items():
        if choice in page.choices_on_page:
            mode = page.choices_on_page[choice]
            measured.update((f"{cores.partition(',')[0]} {compiler} {level}{mode}.{part}", value) for part, value in parts.items())
    for name, row in worst.items():
        m0_cycles, m0plus_cycles = page.read_worst(row)
        measured.update({f"worst.{name}.m0-48": average(int(m0_cycles), 48),
                         f"worst.{name}.m0plus-48": average(int(m0plus_cycles), 48)})
    random_run = re.search(r"geometry 86, .*, (\d+) fired, .* (\d+) early, (\d+) late, (\d+) out of order",
                           (directory / "fuzz.txt").read_text())
    measured.update(zip(("fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"), random_run.groups()))
    return {name: shown(value) for name, value in measured.items()}


def promised(path, text, measured):
    """The block of promises of a page, with these figures."""
    for phrase, names in promises[path]:
        words = r"\s+".join(map(re.escape, phrase.split()))
        found = list(re.finditer(words.replace(re.escape("{}"), number), text))
        if len(found) != 1:
            sys.exit(f"figures.py: '{phrase}' stands {len(found)} times in the promises of {path}, not once")
        for i in range(len(names), 0, -1):
            start, end = found[0].span(i)
            text = text[:start] + measured[names[i - 1]] + text[end:]
    return text


def filled(what, columns, rows, measured):
    """A table of `tables`."""
    def cell(figures, row):
        return re.sub(r"[^\s(),]+", lambda found: measured[found[0]], figures.format(row))

    lines = [[label, *(cell(figures, row) for _, figures in columns)] for label, row in rows]
    return page.table([what, *(heading for heading, _ in columns)], lines)


def main():
    named = {*limits.compiler_of.values(), *limits_size.compiler_of.values()}
    if others(page.PATH, named, (compiler_of(one.split()[0]) for one in named)):
        return
    measured = read()
    pages = {page.PATH: tables, IS_IT_FOR_ME: tables_of_is_it_for_me, MULTICORE: tables_of_multicore}
    texts = {path: path.read_text() for path in pages}
    for path, tables_of_page in pages.items():
        for name, table in tables_of_page.items():
            texts[path] = page.with_block(texts[path], name, filled(*table, measured), path)
    for path in promises:
        texts[path] = page.with_block(path.read_text(), "promises", lambda block: promised(path, block, measured), path)
    stale = []
    for path, new in texts.items():
        old = path.read_text()
        if old != new:
            stale.append(str(path))
            if sys.argv[1] != "--check":
                path.write_text(new)
            else:
                lines = old.splitlines(), new.splitlines()
                print(*difflib.unified_diff(*lines, str(path), "measured", lineterm="", n=0), sep="\n")
    if stale and sys.argv[1] == "--check":
        sys.exit(f"figures.py: stale: {', '.join(stale)}: run make figures")
    print("pages:", ", ".join(stale) + " changed" if stale else "the figures are those measured")


if __name__ == "__main__":
    main()
