# SPDX-License-Identifier: MIT
"""The file `limits`, and whether it binds for the compiler that is here."""

import subprocess
from decimal import Decimal
from pathlib import Path

# name -> (goal or None, limit)
limits = {}
for line in (Path(__file__).parent.parent / "wheel" / "limits").read_text().splitlines():
    words = line.partition("#")[0].split()
    if words and words[0] == "compiler":
        _, compiler, version = words
    elif words:
        figure, goal, limit = words
        limits[figure] = (None if goal == "-" else Decimal(goal), Decimal(limit))


def version_found():
    found = subprocess.run([compiler, "-dumpfullversion"], check=True, capture_output=True, text=True)
    return found.stdout.strip()
