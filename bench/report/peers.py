#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what `make bench-peers` and `make bench-few` counted, and writes it for figures.py.

peers.py peers DIRECTORY "N .." "CPU SYSTEM .." ..               CPU/SYSTEM-N.counts, N = 0 for the time-outs
peers.py few DIRECTORY "GEOMETRY .." "CORE .." "CPU .." TIMERS LIMIT
    each geometry, and the wheel compared with an ordered list: geometry-GEOMETRY-TIMERS.counts,
    geometry-GEOMETRY-CORE.elf, and CPU/SYSTEM-N.counts of 1 to LIMIT timers
"""

import re
import sys
from pathlib import Path

from counts import Counts, output, print_table, write_figures

# These compile the programs whose bytes are measured.
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore "
         "-Iport/cortex_m -Iport/cortex_m_systick -isystem test/check/vendor").split()


def bytes_of(elf):
    """Bytes of flash and of RAM of a program."""
    table = output("arm-none-eabi-size", "-A", str(elf))
    sizes = re.findall(r"^\.(text|rodata|init_array|data|s?bss)\S* +(\d+)", table, re.M)
    # A linker pads the sections of variables to words.
    return (sum(int(size) for name, size in sizes if not name.endswith("bss")),
            sum(-(-int(size) // 4) * 4 for name, size in sizes if name == "data" or name.endswith("bss")))


# The systems and their names.
systems = dict(re.findall(r'^SYSTEM\((\w+), "(.*)"\)', Path("bench/peers/systems.def").read_text(), re.M))


def bytes_of_peer(directory, cpu, system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / cpu / system / "bench/peers/workloads.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def row_of(directory, cpu, system, n):
    counts, timeouts = (Counts(directory / cpu / f"{system}-{each}.counts") for each in (n, 0))
    row = {name: counts.average(name) for name in ("arm", "cancel", "move", "busy_tick", "far_tick")}
    row |= {"timeout": timeouts.timeout("timeout"), "short_timeout": timeouts.timeout("short"), "worst_tick": counts.worst_tick()}
    row |= {name: counts.counted(name)[2] for name in ("burst_tick", "crowd_callback")}
    row["masked"] = counts.masked()
    row["bytes"], row["timer"] = bytes_of_peer(directory, cpu, system)
    return row


def peers(directory, sizes, *cpus):
    figures = {}
    for cpu, *chosen in map(str.split, cpus):
        rows = {(system, n): row_of(directory, cpu, system, n) for system in chosen for n in sizes.split()}
        print_table(f"{cpu} -O2, instructions", ["", *next(iter(rows.values()))],
                    *([f"{systems[system]}, {n}", *row.values()] for (system, n), row in rows.items()))
        figures.update((f"{cpu}.{system}.{n}.{column}", value)
                       for (system, n), row in rows.items() for column, value in row.items())
    write_figures(directory / "figures", figures)


kinds = {"pair": "for an arm and a cancel", "masked": "with interrupts masked, at most",
         "worst": "in the worst tick, periodic timers"}
few_timers = (5, 10, 15, 40)
# A program that arms and cancels a timer of the list, and ticks.
list_program = """
#include "bench/peers/lists.hpp"
peers::ordered_list list;
extern "C" void arm(peers::list_timer *timer, jiffies_t expires) { list.arm(timer, expires); }
extern "C" bool cancel(peers::list_timer *timer) { return list.cancel(timer); }
extern "C" void tick() { list.tick(); }
"""


def flash_of_list(directory, cpu):
    source, elf = directory / "list.cpp", directory / cpu / "list.elf"
    source.write_text(list_program)
    output("arm-none-eabi-g++", *flags, f"-mcpu={cpu}", "-I.", "-DTICKWHEEL_LINK_CHECK=0", "-nostdlib",
           "-Wl,--gc-sections,-e,tick,-u,arm,-u,cancel", str(source), "-o", str(elf))
    return bytes_of(elf)[0]


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
            found[name] = {"pair": counts.average("arm", "cancel"), "masked": counts.masked(), "worst": counts.worst_tick()}
            figures.update((f"few.{cpu}.{n}.{kind}.{name}", value) for kind, value in found[name].items())
        for kind in kinds:
            if float(found["wheel"][kind]) < float(found["list"][kind]) and first[kind] == n + 1:
                first[kind] = n
    for kind, n in first.items():
        if n > limit:
            sys.exit(f"peers.py: {cpu}: the list takes no more than the wheel {kinds[kind]}, with up to {limit} timers")
    return figures | {f"few.from.{kind}.{cpu}": n for kind, n in first.items()}


def few(directory, geometries, cores, cpus, timers, limit):
    geometries, cores, cpus = geometries.split(), cores.split(), cpus.split()
    figures = figures_of_geometries(directory, geometries, cores, timers)
    columns = ["wheel", *cores, "idle", "worst"]
    print_table(f"each geometry: bytes of RAM, of flash at -Os; instructions of ticks with {timers} timers, Cortex-M0 -Os",
                ["", *columns], *([name, *(figures[f"geometry.{name}.{column}"] for column in columns)] for name in geometries))
    for cpu in cpus:
        figures |= figures_of_few(directory, cpu, int(limit))
    fixed, timer = bytes_of_peer(directory, "cortex-m0", "ordered_list")
    _, timer_of_wheel = bytes_of_peer(directory, "cortex-m0", "tickwheel_wheel")
    bytes_of_row = {f"flash-{cpu}": [flash_of_list(directory, cpu), *(figures[f"geometry.{name}.{cpu}"] for name in geometries)]
                    for cpu in cpus}
    bytes_of_row |= {"ram": [fixed, *(figures[f"geometry.{name}.wheel"] for name in geometries)],
                     "timer": [timer, *[timer_of_wheel] * len(geometries)]}
    print_table("bytes: flash at -Os, RAM", ["", "list", *geometries],
                *([row, *bytes] for row, bytes in bytes_of_row.items()))
    print_table("instructions at -O2 with N timers, list and wheel", ["N", *(f"{cpu} {kind}" for cpu in cpus for kind in kinds)],
                *([n, *(f"{figures[f'few.{cpu}.{n}.{kind}.list']} {figures[f'few.{cpu}.{n}.{kind}.wheel']}"
                        for cpu in cpus for kind in kinds)] for n in few_timers))
    print_table("from how many timers on the wheel takes fewer instructions", ["", *cpus],
                *([label, *(figures[f"few.from.{kind}.{cpu}"] for cpu in cpus)] for kind, label in kinds.items()))
    write_figures(directory / "few", figures)


if __name__ == "__main__":
    {"peers": peers, "few": few}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
