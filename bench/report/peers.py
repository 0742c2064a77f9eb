#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what `make bench-peers` and `make bench-few` counted, and writes it for figures.py.

peers.py peers DIRECTORY "N .."                                  SYSTEM-N.counts, N = 0 for the time-outs
peers.py few DIRECTORY "GEOMETRY .." "CORE .." "CPU .." TIMERS LIMIT
    each geometry, and the wheel compared with the list: geometry-GEOMETRY-TIMERS.counts, geometry-GEOMETRY-CORE.elf,
    CPU/SYSTEM-N.counts of 1 to LIMIT timers, and of the workloads for few timers list-CPU-0.counts and ../CPU-O2-0.counts
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


# The systems, and what the page calls them.
systems = {"tickwheel_wheel": "tickwheel", "linux_2_6_24": "Linux 2.6.24", "ordered_list": "ordered list"}


def bytes_of_peer(directory, system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / system / "bench/peers/workloads.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def row_of(directory, system, n):
    counts, timeouts = (Counts(directory / f"{system}-{each}.counts") for each in (n, 0))
    row = {name: counts.average(name) for name in ("arm", "cancel", "move", "busy_tick", "far_tick")}
    row |= {"timeout": timeouts.timeout("timeout"), "short_timeout": timeouts.timeout("short"), "worst_tick": counts.worst_tick()}
    row |= {name: counts.counted(name)[2] for name in ("burst_tick", "crowd_callback")}
    row["masked"] = counts.masked()
    row["bytes"], row["timer"] = bytes_of_peer(directory, system)
    return row


def peers(directory, sizes):
    rows = {(system, n): row_of(directory, system, n) for system in systems for n in sizes.split()}
    print_table("Cortex-M3 -O2, instructions", ["", *next(iter(rows.values()))],
                *([f"{systems[system]}, {n}", *row.values()] for (system, n), row in rows.items()))
    write_figures(directory / "figures", {f"peers.{system}.{n}.{column}": value
                                          for (system, n), row in rows.items() for column, value in row.items()})


kinds = {"pair": "for an arm and a cancel", "masked": "with interrupts masked, at most"}
few_timers = (5, 10, 15)
# What both queues take: a name, and its row.
rows_of_queues = {
    "idle_tick": "tick, nothing pending", "period_tick": "tick, one timer of period 1",
    "one_shot_tick": "tick, a time-out that fires, ten pending", "ten_periods_tick": "tick, ten periods of 5 to 100",
    "sleep": "asleep, ten pending: arm, next_event, wake"}


def figures_of_geometries(directory, geometries, cores, timers):
    figures = {}
    for name in geometries:
        counts = Counts(directory / f"geometry-{name}-{timers}.counts")
        flash, ram = zip(*(bytes_of(directory / f"geometry-{name}-{core}.elf") for core in cores))
        assert len(set(ram)) == 1, ram
        figures |= {f"geometry.{name}.wheel": ram[0], **dict(zip((f"geometry.{name}.{core}" for core in cores), flash)),
                    f"geometry.{name}.idle": counts.average("idle_tick"), f"geometry.{name}.worst": counts.worst_tick()}
    return figures


def figures_of_few(directory, cpu, limit):
    figures, first = {}, dict.fromkeys(kinds, limit + 1)
    for n in range(limit, 0, -1):
        found = {}
        for name, system in (("list", "ordered_list"), ("wheel", "tickwheel_wheel")):
            counts = Counts(directory / cpu / f"{system}-{n}.counts")
            found[name] = {"pair": counts.average("arm", "cancel"), "masked": counts.masked()}
            figures.update((f"few.{cpu}.{n}.{kind}.{name}", value) for kind, value in found[name].items())
        for kind in kinds:
            if float(found["wheel"][kind]) < float(found["list"][kind]) and first[kind] == n + 1:
                first[kind] = n
    for kind, n in first.items():
        if n > limit:
            sys.exit(f"peers.py: {cpu}: the list takes no more than the wheel {kinds[kind]}, with up to {limit} timers")
    return figures | {f"few.from.{kind}.{cpu}": n for kind, n in first.items()}


def figures_of_queue(counts):
    """Both queues have the same rows."""
    found = {name: counts.average(name) for name in rows_of_queues if name != "sleep"}
    return found | {"sleep": counts.average("sleep_arm", "sleep_ask", "sleep_wake")}


def few(directory, geometries, cores, cpus, timers, limit):
    geometries, cores, cpus = geometries.split(), cores.split(), cpus.split()
    figures = figures_of_geometries(directory, geometries, cores, timers)
    columns = ["wheel", *cores, "idle", "worst"]
    print_table(f"each geometry: bytes of RAM, of flash at -Os; instructions of ticks with {timers} timers, Cortex-M0 -Os",
                ["", *columns], *([name, *(figures[f"geometry.{name}.{column}"] for column in columns)] for name in geometries))
    for cpu in cpus:
        figures |= figures_of_few(directory, cpu, int(limit))
    columns = {}
    for cpu in cpus:
        for queue, path in (("list", directory / f"list-{cpu}-0.counts"), ("wheel", directory.parent / f"{cpu}-O2-0.counts")):
            columns[f"{cpu}.{queue}"] = figures_of_queue(Counts(path))
    print_table("both queues: instructions at -O2", ["", *columns],
                *([label, *(found[row] for found in columns.values())] for row, label in rows_of_queues.items()))
    figures.update((f"queues.{column}.{row}", value) for column, found in columns.items() for row, value in found.items())
    print_table("instructions at -O2 with N timers, list and wheel", ["N", *(f"{cpu} {kind}" for cpu in cpus for kind in kinds)],
                *([n, *(f"{figures[f'few.{cpu}.{n}.{kind}.list']} {figures[f'few.{cpu}.{n}.{kind}.wheel']}"
                        for cpu in cpus for kind in kinds)] for n in few_timers))
    print_table("from how many timers on the wheel takes fewer instructions", ["", *cpus],
                *([label, *(figures[f"few.from.{kind}.{cpu}"] for cpu in cpus)] for kind, label in kinds.items()))
    write_figures(directory / "few", figures)


if __name__ == "__main__":
    {"peers": peers, "few": few}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
