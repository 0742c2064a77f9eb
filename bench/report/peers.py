#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make bench-peers` out of what count.c wrote, and a CSV file for figures.py and plot.py.

peers.py DIRECTORY CSV "SYSTEM .." "N .."; the directory holds SYSTEM.o and SYSTEM-N.counts, N = 0 for W6.
"""

import csv
import re
import sys
from pathlib import Path

from counts import Counts, average
from tools import output

directory = Path(sys.argv[1])
systems = sys.argv[3].split()
sizes = [int(n) for n in sys.argv[4].split()]
headers = "".join(path.read_text() for path in (Path(__file__).parent.parent / "peers").glob("*.hpp"))


def name_of(system):
    return re.search(rf'class {system} .*?name = "(.*?)"', headers, re.S)[1]


def bytes_of(system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / f"{system}.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def average_of(counts, *names):
    """Returns the instructions a call of the first name; empty if the system cannot do it."""
    calls = counts.of(names[0])[0]
    return average(counts.total(*names), calls) if calls else ""


def row_of(system, n):
    counts = Counts(directory / f"{system}-{n}.counts")
    timeouts = Counts(directory / f"{system}-0.counts")
    row = {"system": system, "name": name_of(system), "n": n}
    row["bytes"], row["bytes_per_timer"] = bytes_of(system)
    for column, operation in (("arm", "arm"), ("cancel", "cancel"), ("move", "restart"), ("busy_tick", "busy_tick"),
                              ("idle_tick", "idle_tick"), ("far_tick", "far_tick")):
        row[column] = average_of(counts, operation)
        row[f"{column}_most"] = counts.of(operation)[2] or ""
    # Of arming, 0.9 cancellations and a tenth of a tick; no N.
    for name in ("timeout", "short"):
        row[f"{name}_timeout".replace("timeout_", "")] = average_of(timeouts, f"{name}_arm", f"{name}_cancel", f"{name}_tick")
    row["worst_tick"] = max(counts.of(name)[2] for name in ("busy_tick", "idle_tick", "far_tick"))
    row["burst_tick"] = counts.of("burst_tick")[2]
    row["masked"] = counts.masked()[0]
    return row


rows = {system: [row_of(system, n) for n in sizes] for system in systems}
with open(sys.argv[2], "w", newline="") as file:
    writer = csv.DictWriter(file, rows[systems[0]][0].keys(), lineterminator="\n")
    writer.writeheader()
    for system in systems:
        writer.writerows(rows[system])

print("the peers: Cortex-M3 -O2, instructions; the same work for all, but * whose delays and periods are 1 to 59")
for title, columns in (("W1 arm, delay 1 to 2^16 - 1: average, most", ("arm", "arm_most")),
                       ("W2 cancel: average, most", ("cancel", "cancel_most")),
                       ("W3 move a pending timer: average, most", ("move", "move_most")),
                       ("W4 tick, N periodic timers: average, most", ("busy_tick", "busy_tick_most")),
                       ("W5 tick, nothing pending; N pending far ahead: average", ("idle_tick", "far_tick")),
                       ("W7 longest stretch with interrupts masked, in all of it", ("masked",)),
                       ("W9 tick, N due at once: most", ("burst_tick",))):
    print(f"\n{title}\n{'':23}" + "".join(f"{f'N = {n}':>20}" for n in sizes))
    for system in systems:
        star = "" if rows[system][0]["timeout"] else " *"
        cells = ("  ".join(f"{row[column] or '-':>8}" for column in columns) for row in rows[system])
        print(f"{rows[system][0]['name'] + star:23}" + "".join(f"{cell:>20}" for cell in cells))
print(f"\n{'':23}{'W6 time-out':>20}{'W6s short one':>20}{'bytes, and a timer':>20}")
for system in systems:
    row = rows[system][0]
    print(f"{row['name']:23}{row['timeout'] or '-':>20}{row['short_timeout'] or '-':>20}{row['bytes']:>14}{row['bytes_per_timer']:>6}")
print()
