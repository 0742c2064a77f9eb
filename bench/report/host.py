#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make bench-host` out of what Google Benchmark wrote, and a CSV file for plot.py and figures.py.

host.py JSON CSV
"""

import csv
import json
import sys
from pathlib import Path

report = json.loads(Path(sys.argv[1]).read_text())
workloads = {"timeouts": "a request: arm a time-out, 0.9 cancelled, the others expire, ticks",
             "single": "arm, and cancel another: delays 1 to 2^16 - 1",
             "ticks": "a tick with N periodic timers"}

# (workload, system) -> {N: ns}
times = {}
for run in report["benchmarks"]:
    workload, system, n, *_ = run["name"].split("/")
    times.setdefault((workload, system), {})[int(n)] = run["cpu_time"]
sizes = sorted({n for row in times.values() for n in row})
systems = list(dict.fromkeys(system for _, system in times))
wheel = systems[0]

with open(sys.argv[2], "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["workload", "name", *sizes])
    for (workload, system), row in times.items():
        writer.writerow([workload, system, *(f"{row[n]:.1f}" if n in row else "" for n in sizes)])

print(f"the peers on this PC: {wheel} in ns, all others as so many times its time, in this run")
for workload, text in workloads.items():
    print(f"\n{text}\n{'':24}" + "".join(f"{f'N = {n}':>13}" for n in sizes))
    for system in systems:
        row = times[workload, system]
        base = times[workload, wheel]
        cells = [f"{row[n]:.1f} ns" if system == wheel else f"{row[n] / base[n]:.2f}" if n in row else "-" for n in sizes]
        print(f"{system:24}" + "".join(f"{cell:>13}" for cell in cells))
print("\nbytes of memory for each pending timer")
for system in systems:
    print(f"{system:24}{report['context'][system]:>13}")
