#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what `make bench-peers` counted, and writes it for figures.py: CPU.SYSTEM.N.COLUMN and a number.

peers.py DIRECTORY "N .." "CPU SYSTEM .." ..; the directory holds CPU/SYSTEM.o and CPU/SYSTEM-N.counts, N = 0 for W6.
"""

import re
import sys
from pathlib import Path

from counts import Counts, average
from tools import output, print_table, write_figures

# The systems and their names.
systems = dict(re.findall(r'^SYSTEM\((\w+), "(.*)"\)', Path("bench/peers/systems.def").read_text(), re.M))


def bytes_of(directory, cpu, system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / cpu / f"{system}.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def average_of(counts, *names):
    """Returns the instructions a call of the first name."""
    return average(counts.total(*names), counts.of(names[0])[0])


def row_of(directory, cpu, system, n):
    counts = Counts(directory / cpu / f"{system}-{n}.counts")
    timeouts = Counts(directory / cpu / f"{system}-0.counts")
    row = {column: average_of(counts, operation) for column, operation in (
        ("arm", "arm"), ("cancel", "cancel"), ("move", "restart"), ("busy_tick", "busy_tick"), ("far_tick", "far_tick"))}
    # Of arming, 0.9 cancellations and a tenth of a tick; no N.
    for column, name in (("timeout", "timeout"), ("short_timeout", "short")):
        row[column] = average_of(timeouts, f"{name}_arm", f"{name}_cancel", f"{name}_tick")
    row["worst_tick"] = max(counts.of(name)[2] for name in ("busy_tick", "idle_tick", "far_tick"))
    for name in ("burst_tick", "crowd_callback"):
        row[name] = counts.of(name)[2]
    row["masked"] = counts.masked()
    row["bytes"], row["timer"] = bytes_of(directory, cpu, system)
    return row


def main(directory, sizes, *cpus):
    figures = {}
    for cpu, *of_cpu in map(str.split, cpus):
        rows = {(system, n): row_of(directory, cpu, system, n) for system in of_cpu for n in sizes.split()}
        columns = list(next(iter(rows.values())))
        print_table(f"{cpu} -O2, instructions", ["", *columns],
                    *([f"{systems[system]}, {n}", *row.values()] for (system, n), row in rows.items()))
        figures.update((f"{cpu}.{system}.{n}.{column}", value)
                       for (system, n), row in rows.items() for column, value in row.items())
    write_figures(directory / "figures", figures)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
