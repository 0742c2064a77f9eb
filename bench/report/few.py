#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what `make bench-few` counted, and writes it for figures.py.

few.py DIRECTORY "GEOMETRY .." "CORE .." "CPU .." MOST
    each geometry: GEOMETRY-MOST.counts, linked-GEOMETRY-CORE.elf; both queues with 1 to MOST timers: CPU-QUEUE-N.counts; and
    of the workloads that do not depend on N: CPU-list-of-wheel-0.counts and ../CPU-O2-0.counts
"""

import re
import sys
from pathlib import Path

from counts import Counts, output, print_table, write_figures


def bytes_of(elf):
    """Bytes of flash and of RAM of a program."""
    table = output("arm-none-eabi-size", "-A", str(elf))
    sizes = re.findall(r"^\.(text|rodata|init_array|data|s?bss)\S* +(\d+)", table, re.M)
    # A linker pads the sections of variables to words.
    return (sum(int(size) for name, size in sizes if not name.endswith("bss")),
            sum(-(-int(size) // 4) * 4 for name, size in sizes if name == "data" or name.endswith("bss")))


kinds = {"pair": "for an arm and a cancel", "masked": "with interrupts masked, at most"}
# What both queues take: a name, and its row.
rows_of_queues = {
    "idle_tick": "tick, nothing pending", "period_tick": "tick, one timer of period 1",
    "one_shot_tick": "tick, a time-out that fires, ten pending", "ten_periods_tick": "tick, ten periods of 5 to 100",
    "sleep": "asleep, ten pending: arm, next_event, wake"}


def figures_of_geometries(directory, geometries, cores, timers):
    figures = {}
    for name in geometries:
        counts = Counts(directory / f"{name}-{timers}.counts")
        flash, ram = zip(*(bytes_of(directory / f"linked-{name}-{core}.elf") for core in cores))
        assert len(set(ram)) == 1, ram
        figures |= {f"geometry.{name}.wheel": ram[0], **dict(zip((f"geometry.{name}.{core}" for core in cores), flash)),
                    f"geometry.{name}.idle": counts.average("idle_tick"), f"geometry.{name}.worst": counts.worst_tick()}
    return figures


def figures_of_few(directory, cpu, most):
    """From how many timers on the wheel takes fewer instructions than the list, up to `most`."""
    first = dict.fromkeys(kinds, most + 1)
    for n in range(most, 0, -1):
        counts = {queue: Counts(directory / f"{cpu}-{queue}-{n}.counts") for queue in ("wheel", "list")}
        taken = {queue: {"pair": float(one.average("arm", "cancel")), "masked": one.masked()} for queue, one in counts.items()}
        for kind in kinds:
            if taken["wheel"][kind] < taken["list"][kind] and first[kind] == n + 1:
                first[kind] = n
    for kind, n in first.items():
        if n > most:
            sys.exit(f"few.py: {cpu}: the list takes no more than the wheel {kinds[kind]}, with up to {most} timers")
    return {f"few.from.{kind}.{cpu}": n for kind, n in first.items()}


def figures_of_queue(counts):
    """Both queues have the same rows."""
    found = {name: counts.average(name) for name in rows_of_queues if name != "sleep"}
    return found | {"sleep": counts.average("sleep_arm", "sleep_ask", "sleep_wake")}


def main(directory, geometries, cores, cpus, most):
    geometries, cores, cpus = geometries.split(), cores.split(), cpus.split()
    figures = figures_of_geometries(directory, geometries, cores, most)
    columns = ["wheel", *cores, "idle", "worst"]
    print_table(f"each geometry: bytes of RAM, of flash at -Os; instructions of ticks with {most} timers, Cortex-M0 -Os",
                ["", *columns], *([name, *(figures[f"geometry.{name}.{column}"] for column in columns)] for name in geometries))
    for cpu in cpus:
        figures |= figures_of_few(directory, cpu, int(most))
    columns = {}
    for cpu in cpus:
        for queue, path in (("list", directory / f"{cpu}-list-of-wheel-0.counts"), ("wheel", directory.parent / f"{cpu}-O2-0.counts")):
            columns[f"{cpu}.{queue}"] = figures_of_queue(Counts(path))
    print_table("both queues: instructions at -O2", ["", *columns],
                *([label, *(found[row] for found in columns.values())] for row, label in rows_of_queues.items()))
    figures.update((f"queues.{column}.{row}", value) for column, found in columns.items() for row, value in found.items())
    print_table("from how many timers on the wheel takes fewer instructions", ["", *cpus],
                *([label, *(figures[f"few.from.{kind}.{cpu}"] for cpu in cpus)] for kind, label in kinds.items()))
    write_figures(directory / "figures", figures)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
