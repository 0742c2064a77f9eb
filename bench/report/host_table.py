#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of a README, between its markers <!-- host --> and <!-- end of host -->, from the times on record.

host_table.py CSV README
"""

import csv
import re
import sys
from pathlib import Path

shown = ("Linux 2.6 wheel", "wheels, delay queue", "binary heap", "std::priority_queue", "red-black tree", "skip list")

# system -> {N: ns}
times = {}
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        if row["workload"] == "timeouts":
            times.setdefault(row["name"], {})[row["n"]] = float(row["ns"])
wheel = times["tickwheel"]

table = [["N", *wheel], ["---", *["--:"] * len(wheel)]]
table += [[system, *(f"{times[system][n] / wheel[n]:.1f}" for n in wheel)] for system in shown]
lines = "".join(f"| {' | '.join(row)} |\n" for row in table)
path = Path(sys.argv[2])
path.write_text(re.sub(r"(<!-- host -->\n).*(<!-- end of host -->)", rf"\g<1>{lines}\g<2>", path.read_text(), flags=re.S))
