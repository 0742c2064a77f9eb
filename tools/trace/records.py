# SPDX-License-Identifier: MIT
"""Reads what tickwheel/recorder.hpp has written: an image of RAM with its ring, or the records alone, one after the other."""
import collections
import struct
from dataclasses import dataclass, field

# The events of trace_event, from 1 on, and what the subject of each is.
KINDS = [("armed", "timer"), ("moved", "timer"), ("cancelled", "timer"), ("callback_begins", "timer"), ("callback_ends", "timer"),
         ("cascade_begins", "slot"), ("cascaded", "timer"), ("cascade_ends", "slot"), ("tick_with_work", "jiffies"),
         ("sleeps", "jiffies"), ("wakes", "jiffies"), ("started", "time_hz")]
MARK = b"tickwheel trace\0"
RECORD = struct.Struct("<4I")
# How many records a ring can have.
SIZES = [1 << bits for bits in range(16)]
EXCEPTIONS = {0: "thread", 2: "NMI", 3: "HardFault", 11: "SVCall", 14: "PendSV", 15: "SysTick"}


@dataclass
class Event:
    """An event. `time` is in counts since the first one. `now` is the last tick with work, `lateness` the ticks from
    `expires` to a callback; None if unknown."""
    kind: str
    exception: int
    subject: int
    value: int
    time: int
    now: int = None
    lateness: int = None
    late_counts: int = None

    @property
    def context(self):
        if self.exception > 15:
            return f"IRQ {self.exception - 16}"
        return EXCEPTIONS.get(self.exception, f"exception {self.exception}")


@dataclass
class Trace:
    """All events, one at least, and what is missing."""
    time_hz: int
    counts_per_tick: int = 0
    events: list = field(default_factory=list)
    torn: int = 0
    lost: int = 0
    skipped_bytes: int = 0

    def counts(self):
        """How many events of each kind."""
        return collections.Counter(event.kind for event in self.events)

    def timers(self):
        """The addresses of all timers, in the order of their first event."""
        subjects = dict(KINDS)
        return list(dict.fromkeys(event.subject for event in self.events if subjects[event.kind] == "timer"))


def is_head(head):
    return 1 <= head >> 12 & 15 <= len(KINDS) and head & 0xE00 == 0


def kind_of(head):
    """The event of a record, and what its subject is."""
    return KINDS[(head >> 12 & 15) - 1]


def ring_in(image):
    """The offset of the ring, None if the image has no mark. A copy of the mark, on the stack or in flash, has no ring behind it."""
    wrong = ""
    start = image.find(MARK)
    while start >= 0:
        records_at = start + len(MARK) + RECORD.size
        time_hz, _, size, _ = RECORD.unpack_from(image, start + len(MARK)) if records_at <= len(image) else (0, 0, 0, 0)
        missing = records_at + size * RECORD.size - len(image)
        if not time_hz or size not in SIZES:
            wrong = wrong or f"no ring follows its mark at offset {start:#x}"
        elif missing > 0:
            wrong = f"the image ends {missing} bytes before the end of its ring, which begins at offset {start:#x}"
        else:
            return start
        start = image.find(MARK, start + 1)
    if wrong:
        raise ValueError(wrong)
    return None


def from_ring(image, start, trace):
    """The records of the ring that begins with the mark. Yields them in the order of their numbers."""
    trace.time_hz, trace.counts_per_tick, size, written = RECORD.unpack_from(image, start + len(MARK))
    trace.lost = max(0, written - size)
    for number in range(trace.lost, written):
        record = RECORD.unpack_from(image, start + len(MARK) + RECORD.size * (1 + number % size))
        if record[0] >> 16 == number & 0xFFFF and is_head(record[0]):
            yield record
        else:
            trace.torn += 1


def from_stream(stream, trace):
    """The records of a stream, which may begin in the middle of one, or lack bytes. A place is taken for a record if two
    records with consecutive numbers are there. After a gap, the second one may only be followed by such a pair."""
    def number(offset):
        """The number of the record there, None if there is none."""
        if offset + RECORD.size > len(stream):
            return None
        head = RECORD.unpack_from(stream, offset)[0]
        return head >> 16 if is_head(head) else None

    def follows(offset):
        here, next_one = number(offset), number(offset + RECORD.size)
        at_end = offset + 2 * RECORD.size > len(stream)
        return here is not None and (at_end or next_one == (here + 1) % 65536)

    offset, before = 0, None
    while offset + RECORD.size <= len(stream):
        here = number(offset)
        if here is None or not (follows(offset) or follows(offset + RECORD.size)):
            offset += 1
            trace.skipped_bytes += 1
            continue
        trace.lost += 0 if before is None else (here - before - 1) % 65536
        before = here
        yield RECORD.unpack_from(stream, offset)
        offset += RECORD.size
    trace.skipped_bytes += len(stream) - offset


class Clock:
    """Makes 64 bits of the 32 bits of a time. A record that names jiffies shows how often the 32 bits have wrapped: while
    ticks are counted there is one in each block of the wheel, and one at the end of each sleep."""

    def __init__(self, counts_per_tick):
        self.counts_per_tick = counts_per_tick
        self.now, self.raw, self.given = 0, None, -1
        # A tick that a record has named, and when it began.
        self.tick = self.tick_began = None

    def time(self, raw, jiffies):
        """The counts since the first record. Each record is at least one count after the one before, so that no viewer
        drops one. A time goes back if a tick was not counted yet."""
        step = 0 if self.raw is None else (raw - self.raw) % 2**32
        if not self.counts_per_tick or step < 2**31:
            self.now, self.raw = self.now + step, raw
        if jiffies is not None and self.counts_per_tick:
            within = (raw - jiffies * self.counts_per_tick) % 2**32
            if self.tick is not None:
                self.now = self.tick_began + (jiffies - self.tick) % 2**32 * self.counts_per_tick + within
                self.raw = raw
            self.tick, self.tick_began = jiffies, self.now - within
        self.given = max(self.now, self.given + 1)
        return self.given

    def late(self, expires):
        """The counts from the start of a tick until now, if known."""
        if self.tick is None:
            return None
        ticks = (self.tick - expires + 2**31) % 2**32 - 2**31
        return self.now - self.tick_began + ticks * self.counts_per_tick


def read(data, time_hz=None):
    """The trace in an image of RAM or in a stream. `time_hz` is for a stream that lacks its start. Raises ValueError with one
    line if there is no trace."""
    trace = Trace(time_hz)
    start = ring_in(data)
    records = list(from_stream(data, trace) if start is None else from_ring(data, start, trace))
    if not records:
        raise ValueError("it has no record of a trace")
    for head, _, subject, value in records:
        if kind_of(head)[0] == "started":
            trace.time_hz, trace.counts_per_tick = subject, value
    if not trace.time_hz:
        raise ValueError("the trace lacks its start: give --time-hz")
    clock, now = Clock(trace.counts_per_tick), None
    for head, raw, subject, value in records:
        kind, subject_is = kind_of(head)
        event = Event(kind, head & 511, subject, value, clock.time(raw, subject if subject_is == "jiffies" else None))
        if subject_is == "jiffies":
            now = subject
        event.now = now
        if kind == "callback_begins" and now is not None:
            # A callback is never early: if it seems so, the records that named later ticks are lost.
            ticks = (now - value) % 2**32
            event.lateness = ticks if ticks < 2**31 else None
            event.late_counts = clock.late(value)
        trace.events.append(event)
    return trace
