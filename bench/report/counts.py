# SPDX-License-Identifier: MIT
"""What count.c writes, by the names of bench/wheel/measure.hpp."""

import re
from pathlib import Path

# The names of the operations, by number.
operations = re.findall(r"^    op_(\w+),$", (Path(__file__).parent.parent / "wheel/measure.hpp").read_text(), re.M)
number = {name: i for i, name in enumerate(operations)}


def average(total, count):
    """Returns an average with one decimal, rounded up."""
    tenths = -(-total * 10 // count)
    return f"{tenths // 10}.{tenths % 10}"


class Counts:
    """The counts of one run."""

    def __init__(self, path):
        # The second has the cycles, for a core of cycles.py after another: total and most.
        self.operation, self.cycles = {}, {}
        for line in path.read_text().splitlines():
            which, count, total, most, masked, _, _, *cycles = line.split()
            self.operation[int(which)] = int(count), int(total), int(most), int(masked)
            self.cycles[operations[int(which)]] = [int(word) for word in cycles]

    def of(self, name):
        """Count, total, most, and longest masked section."""
        return self.operation.get(number[name], (0, 0, 0, 0))

    def masked(self, *without):
        """The longest masked section of all operations but some."""
        return max(self.of(name)[3] for name in number if name not in without)

    def total(self, *names):
        return sum(self.of(name)[1] for name in names)
