# SPDX-License-Identifier: MIT
"""What count.c writes, by the names of operations.def."""

import re
from pathlib import Path

# (name in workloads.cpp, text) by number.
definitions = Path(__file__).parent.parent / "wheel" / "operations.def"
operations = re.findall(r'^OPERATION\((\w+), "(.*)"\)', definitions.read_text(), re.M)
number = {name: i for i, (name, _) in enumerate(operations)}


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
            which, *counted, after, up_to = line.split()[:7]
            self.operation[int(which)] = [int(word) for word in counted] + [int(after, 16), int(up_to, 16)]
            self.cycles[operations[int(which)][0]] = [int(word) for word in line.split()[7:]]

    def of(self, name):
        """Count, total, most, longest masked stretch, and its two addresses."""
        return self.operation.get(number[name], [0] * 6)

    def masked(self, *without):
        """The longest masked stretch of all operations but some, and its two addresses."""
        return max(self.of(name)[3:] for name in number if name not in without)

    def total(self, *names):
        return sum(self.of(name)[1] for name in names)
