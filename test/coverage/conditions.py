#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the conditions of core whose own effect on their decision (MC/DC) no test on the host shows, from llvm-cov's
JSON. Each needs a reason in the file `conditions_missed`. A condition counts when one instance of a template shows it.

conditions.py conditions.json
"""
import json
import os
import sys
from pathlib import Path

reasons = {}
for line in (Path(__file__).parent / "conditions_missed").read_text().splitlines():
    if line and not line.startswith("#"):
        file, text, reason = (part.strip() for part in line.split(" | "))
        reasons[file, text] = reason

shown = {}
for function in json.loads(Path(sys.argv[1]).read_text())["data"][0]["functions"]:
    for line, column, last_line, last_column, in_file, _, conditions in function.get("mcdc_records", ()):
        file = os.path.relpath(function["filenames"][in_file])
        if file.startswith("core/"):
            before = shown.setdefault((file, line, column), [False] * len(conditions))
            shown[file, line, column] = [one or other for one, other in zip(before, conditions)]
if not shown:
    sys.exit("conditions.py: core has no decision of several conditions")

unexplained, used = [], set()
for (file, line, column), conditions in sorted(shown.items()):
    if not all(conditions):
        text = Path(file).read_text().splitlines()[line - 1].strip()
        missed = ", ".join(str(number) for number, one in enumerate(conditions, 1) if not one)
        reason = reasons.get((file, text))
        print(f"{file}:{line}: condition {missed} of {len(conditions)}: {text}\n    {reason or 'no reason given'}")
        if reason is None:
            unexplained.append(f"{file}:{line}")
        used.add((file, text))
total, seen = sum(map(len, shown.values())), sum(map(sum, shown.values()))
print(f"{seen} of {total} conditions = {100 * seen / total:.1f} %, in {len(shown)} decisions")
stale = [f"{file} | {text}" for file, text in reasons.keys() - used]
if unexplained or stale:
    sys.exit("\n".join(["conditions.py:"] + [f"  not shown: {place}" for place in unexplained] +
                       [f"  a reason for a condition that is shown, or gone: {place}" for place in stale]))
