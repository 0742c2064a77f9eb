#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make bench-peers` out of what count.c wrote, and a CSV file for figures.py.

peers.py DIRECTORY CSV "N .." "CPU SYSTEM .." ..; the directory holds CPU/SYSTEM.o and CPU/SYSTEM-N.counts, N = 0 for W6.
"""

import csv
import re
import sys
from pathlib import Path

from counts import Counts, average
from tools import output, print_table

directory = Path(sys.argv[1])
sizes = sys.argv[3].split()
headers = "".join(path.read_text() for path in (Path(__file__).parent.parent / "peers").glob("*.hpp"))


def name_of(system):
    return re.search(rf'class {system} .*?name = "(.*?)"', headers, re.S)[1]


def bytes_of(cpu, system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / cpu / f"{system}.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def average_of(counts, *names):
    """Returns the instructions a call of the first name."""
    return average(counts.total(*names), counts.of(names[0])[0])


def row_of(cpu, system, n):
    counts = Counts(directory / cpu / f"{system}-{n}.counts")
    timeouts = Counts(directory / cpu / f"{system}-0.counts")
    row = {"cpu": cpu, "system": system, "name": name_of(system), "n": n}
    row["bytes"], row["bytes_per_timer"] = bytes_of(cpu, system)
    for column, operation in (("arm", "arm"), ("cancel", "cancel"), ("move", "restart"), ("busy_tick", "busy_tick"),
                              ("idle_tick", "idle_tick"), ("far_tick", "far_tick")):
        row[column] = average_of(counts, operation)
        row[f"{column}_most"] = counts.of(operation)[2]
    # Of arming, 0.9 cancellations and a tenth of a tick; no N.
    for column, name in (("timeout", "timeout"), ("short_timeout", "short")):
        row[column] = average_of(timeouts, f"{name}_arm", f"{name}_cancel", f"{name}_tick")
    row["worst_tick"] = max(counts.of(name)[2] for name in ("busy_tick", "idle_tick", "far_tick"))
    row["burst_tick"] = counts.of("burst_tick")[2]
    row["masked"] = counts.masked()[0]
    for name in ("crowd_tick", "crowd_callback"):
        row[name] = counts.of(name)[2]
    return row


# For each N these columns, then those that have no N.
titles = (("W1 arm, delay 1 to 2^16 - 1: average, most", "arm arm_most"),
          ("W2 cancel: average, most", "cancel cancel_most"),
          ("W3 move a pending timer: average, most", "move move_most"),
          ("W4 tick, N periodic timers: average, most", "busy_tick busy_tick_most"),
          ("W5 tick, nothing pending; N pending far ahead: average", "idle_tick far_tick"),
          ("W7 longest stretch with interrupts masked, in all of it", "masked"),
          ("W9 tick, N due at once: most", "burst_tick"),
          ("W12 N timers of one slot: longest tick before; from their first tick to its callback",
           "crowd_tick crowd_callback"))
without_n = {"W6 time-out": "timeout", "W6s short one": "short_timeout", "bytes": "bytes", "a timer": "bytes_per_timer"}


def print_tables(cpu, systems):
    """`systems` are the rows of each."""
    print(f"the peers: {cpu} -O2, instructions\n")
    named = [(rows[0]["name"], rows) for rows in systems]
    for title, columns in titles:
        columns = columns.split()
        heading = [cell for n in sizes for cell in (f"N = {n}", "")[:len(columns)]]
        print_table(title, ["", *heading],
                    *([name, *(row[column] for row in rows for column in columns)] for name, rows in named))
    print_table("W6, and RAM", ["", *without_n],
                *([name, *(rows[0][column] for column in without_n.values())] for name, rows in named))


everything = []
for cpu, *systems in map(str.split, sys.argv[4:]):
    rows = [[row_of(cpu, system, n) for n in sizes] for system in systems]
    print_tables(cpu, rows)
    everything += [row for of_system in rows for row in of_system]
with open(sys.argv[2], "w", newline="") as file:
    writer = csv.DictWriter(file, everything[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(everything)
