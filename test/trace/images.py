# SPDX-License-Identifier: MIT
"""Reads the images that recorder.cpp has saved in this folder, and streams with other clocks."""
import struct
from pathlib import Path

import checks
import records

TICK, ARMED, BEGINS, STARTED = 9, 1, 4, 12


def stream(*rows):
    """Of event, time, subject and value."""
    return b"".join(struct.pack("<4I", number << 16 | kind << 12, *rest) for number, (kind, *rest) in enumerate(rows))


def times(trace):
    return [event.time for event in trace.events]


turn = records.read(Path("turn.ram").read_bytes())
checks.check("a writer that was interrupted for a whole turn", (len(turn.events), turn.torn, turn.lost), (7, 1, 4))
torn = records.read(Path("torn.ram").read_bytes())
checks.check("an image in the middle of a record", (len(torn.events), torn.torn, torn.lost), (2, 1, 0))
checks.check("its clock", (torn.time_hz, torn.counts_per_tick), (1000000, 0))

# 32 bits wrap after 4294 ticks of a million counts. jiffies says how often.
sleepy = records.read(stream((STARTED, 5, 10**9, 10**6), (TICK, 10**6 + 7, 1, 1), (TICK, 20001 * 10**6 % 2**32 + 9, 20001, 20001),
                             (ARMED, 20001 * 10**6 % 2**32 + 10, 64, 20005), (BEGINS, 20006 * 10**6 % 2**32, 64, 20005)))
checks.check("times over several wraps", times(sleepy), [0, 10**6 + 2, 20001 * 10**6 + 4, 20001 * 10**6 + 5, 20006 * 10**6 - 5])
checks.check("lateness in counts", sleepy.events[-1].late_counts, 10**6)
back = records.read(stream((STARTED, 500, 1000, 1000), (ARMED, 490, 64, 1), (ARMED, 491, 64, 1), (ARMED, 501, 64, 1), (ARMED, 600, 64, 1)))
checks.check("a time that goes back", times(back), [0, 1, 2, 3, 100])
free = records.read(stream((STARTED, 2**32 - 5, 1000, 0), (ARMED, 2**31 + 10, 64, 1), (ARMED, 3, 64, 1)))
checks.check("a clock that does not follow jiffies", times(free), [0, 2**31 + 15, 2**32 + 8])
try:
    records.read(stream((ARMED, 490, 64, 1)))
    checks.check("a stream without its start", "no error", "an error")
except ValueError:
    checks.check("a stream without its start", True)
checks.end()
