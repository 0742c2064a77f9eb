#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long 2 to 64 cores wait for the locks of their wheels: a simulation, in instructions.

simulate.py DIRECTORY [SEED]; in it, figures is what `make bench-cores` has measured. Writes simulated for figures.py.

Each core works for a while, then makes a call on any of the wheels, again and again. The calls are those of time-outs: an
arm, 0.9 cancels, 0.1 ticks. A call holds its lock for its longest masked section at -Os. The locks are fair. When a lock
opens, the next core loads a word that another core has written. Of a ticket lock, all cores that wait load it, one after the
other. Of a queue lock, only the next one does.
"""

import collections
import heapq
import random
import sys
from pathlib import Path

CALLS = 40000
# What a core could do while it loads such a word. This is an assumption: the emulator has no caches.
LOAD = 20

directory = Path(sys.argv[1])
figures = dict(line.split() for line in (directory / "figures").read_text().splitlines())
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
sections = [int(figures[f"own-Os.{call}.masked"]) for call in ("arm", "cancel", "idle-tick")]
shares = (1, 0.9, 0.1)


def simulate(cores, wheels, spacing, is_queue):
    """How long each call has waited."""
    numbers = random.Random(seed)
    waiting = [collections.deque() for _ in range(wheels)]
    held = [False] * wheels
    waits = []
    # When; what happens to which core: it calls, or it opens a lock.
    events = [(numbers.expovariate(1 / spacing), core, None) for core in range(cores)]
    heapq.heapify(events)
    while len(waits) < CALLS:
        now, core, opened = heapq.heappop(events)
        if opened is None:
            wheel = numbers.randrange(wheels)
            waiting[wheel].append((core, now))
            delay = 0
        else:
            wheel = opened
            held[wheel] = False
            heapq.heappush(events, (now + numbers.expovariate(1 / spacing), core, None))
            delay = LOAD * (1 if is_queue else len(waiting[wheel]))
        if waiting[wheel] and not held[wheel]:
            held[wheel] = True
            next_core, came = waiting[wheel].popleft()
            waits.append(now + delay - came)
            end = now + delay + numbers.choices(sections, shares)[0]
            heapq.heappush(events, (end, next_core, wheel))
    return waits


print(f"Instructions: sections of {sections}, {CALLS} calls, seed {seed}")
print("A call waits: the share of the calls, the average, and the longest")
kinds = (("ticket", "one wheel, ticket lock", False, False), ("queue", "one wheel, queue lock", False, True),
         ("each", "a wheel for each core", True, False))
print(f"{'calls every':>12}{'cores':>6}" + "".join(f"{text:>28}" for _, text, *_ in kinds))
simulated = []
for spacing in (1000, 3000, 10000):
    for cores in (2, 8, 16, 32, 64):
        row = f"{spacing:>12}{cores:>6}"
        for name, _, each, is_queue in kinds:
            waits = simulate(cores, cores if each else 1, spacing, is_queue)
            share = f"{100 * sum(wait > 0 for wait in waits) / CALLS:.1f}"
            row += f"{share:>11}%{sum(waits) / CALLS:>8.0f}{max(waits):>8.0f}"
            simulated += [f"{name}.{spacing}.{cores}.share {share}\n", f"{name}.{spacing}.{cores}.most {max(waits):.0f}\n"]
        print(row)
(directory / "simulated").write_text("".join(simulated))
