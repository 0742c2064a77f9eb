#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the lines of core that the unit tests miss, from gcovr's JSON. Each needs a reason in the file `uncovered`.

coverage.py coverage.json
"""

import json
import sys
from pathlib import Path

# (file, text of the line) -> reason
reasons = {}
for line in (Path(__file__).parent / "uncovered").read_text().splitlines():
    if line and not line.startswith("#"):
        file, text, reason = (part.strip() for part in line.split(" | "))
        reasons[file, text] = reason

unexplained = []
used = set()
totals = [0, 0, 0, 0]


def share(part, whole):
    return f"{part:>7} of{whole:>5}"


print(f"{'':36}{'lines':>15}{'branches':>15}")
files = json.loads(Path(sys.argv[1]).read_text())["files"]
for file in files:
    name = file["file"]
    source = Path(name).read_text().splitlines()
    lines = [line for line in file["lines"] if not line["gcovr/noncode"]]
    branches = [branch for line in lines for branch in line["branches"]]
    taken = [sum(line["count"] > 0 for line in lines), sum(branch["count"] > 0 for branch in branches)]
    counts = [taken[0], len(lines), taken[1], len(branches)]
    totals = [total + count for total, count in zip(totals, counts)]
    print(f"{name:36}{share(*counts[:2]):>15}{share(*counts[2:]):>15}")
    for line in lines:
        number, text = line["line_number"], source[line["line_number"] - 1].strip()
        left_out = "line" if line["count"] == 0 else "branch"
        if line["count"] == 0 or any(branch["count"] == 0 for branch in line["branches"]):
            reason = reasons.get((name, text))
            if reason is None:
                unexplained.append(f"{name}:{number}")
            else:
                used.add((name, text))
            print(f"  {left_out} {number}: {text}\n    {reason or 'no reason given'}")
print(f"{'all':36}{share(*totals[:2]):>15}{share(*totals[2:]):>15}")
seen = {file["file"] for file in files}
print("without code, or in no test:", ", ".join(sorted(
    str(path) for path in Path("core").rglob("*") if path.suffix in (".h", ".hpp", ".cpp") and str(path) not in seen)))

stale = [f"{file} | {text}" for file, text in reasons if (file, text) not in used]
if unexplained or stale:
    sys.exit("\n".join(["coverage.py:"] + [f"  not covered: {place}" for place in unexplained] +
                       [f"  a reason for a line that is covered, or gone: {place}" for place in stale]))
