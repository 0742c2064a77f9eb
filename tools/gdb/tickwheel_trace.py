# SPDX-License-Identifier: MIT
"""`save timer-trace` for GDB: what a wheel did last, in the JSON of Chrome's trace format.

Load tickwheel_gdb.py first, then this file by `source`. It reads a trace_ring of tools/trace/tickwheel/recorder.hpp, in
a halted target or in a core file. docs/tracing.md explains the tracks."""
import json
from dataclasses import dataclass

import gdb

# The events of trace_event, from 1 on.
KINDS = ("armed", "moved", "cancelled", "callback_begins", "callback_ends", "cascade_begins", "cascaded",
         "cascade_ends", "tick_with_work", "sleeps", "wakes")
TIMER_EVENTS = {"armed", "moved", "cancelled", "callback_begins", "callback_ends", "cascaded"}
EXCEPTIONS = {0: "thread", 2: "NMI", 3: "HardFault", 11: "SVCall", 14: "PendSV", 15: "SysTick"}


@dataclass
class Event:
    """`time` is in counts since the first event. `late` is in counts from the tick of a timer until its callback."""
    kind: str
    exception: int
    subject: int
    value: int
    time: int
    late: int = 0

    def context(self):
        return EXCEPTIONS.get(self.exception, f"IRQ {self.exception - 16}")


def since(count, earlier):
    """The counts since an earlier time, 0 if it seems to be a later one. Both wrap at 2^32."""
    counts = (count - earlier) % 2**32
    return counts if counts < 2**31 else 0


def events_in(ring):
    """The events of a ring, the oldest first, and how many are torn, damaged and lost."""
    size, written, per_tick = (ring["records"].type.range()[1] + 1, word(ring["written"]), int(ring["counts_per_tick"]))
    events, torn, damaged, now, before = [], 0, 0, 0, None
    first = max(0, written - size)
    for number in range(first, written):
        record = ring["records"][number % size]
        head, count, subject, value = (word(record[name]) for name in ("head", "time", "subject", "value"))
        # The head is 0 or an older one while the record is written. It is an older one, too, if an interrupt has
        # recorded a whole turn meanwhile.
        if head == 0 or head >> 16 != number % 2**16:
            torn += 1
            continue
        # The recorder leaves 3 bits 0 and has no other kinds, so something else has written here.
        kind = head >> 12 & 15
        if head >> 9 & 7 or not 1 <= kind <= len(KINDS):
            damaged += 1
            continue
        step = 0 if before is None else since(count, before)
        # A count goes back if its interrupt came before the tick was counted.
        now, before = now + step, count if step or before is None else before
        event = Event(KINDS[kind - 1], head & 511, subject, value, now)
        late = since(count, value * per_tick) if event.kind == "callback_begins" and per_tick else 0
        event.late = late if late >= per_tick else 0
        events.append(event)
    return events, torn, damaged, first


class Picture:
    """The tracks of trace.json: callbacks, cascades, ticks with work, sleep, and one for each timer."""
    wheel = ("callbacks", "cascades", "ticks with work", "sleep")

    def __init__(self, events, time_hz, counts_per_tick):
        self.events, self.time_hz, self.counts_per_tick = events, time_hz, counts_per_tick
        timers = dict.fromkeys(event.subject for event in events if event.kind in TIMER_EVENTS)
        self.names = {address: Program.now().owner(address)[0] for address in timers}
        self.tracks = {name: number for number, name in enumerate((*self.wheel, *timers), 1)}
        self.entries = []
        for track in self.tracks:
            self.add("M", track, "thread_name", args={"name": self.names.get(track, track)})
        # The slices that have begun on a track and not yet ended: name, event, further arguments.
        self.begun = {}

    def microseconds(self, counts):
        # In steps of 2^-10, so that a viewer's ts + dur is exactly where the next slice begins.
        return round(counts * 10**6 * 2**10 / self.time_hz) / 2**10

    def add(self, phase, track, name, **more):
        self.entries.append({"ph": phase, "pid": 1, "tid": self.tracks[track], "name": name, **more})

    def instant(self, track, name, time, **args):
        self.add("i", track, name, ts=self.microseconds(time), s="t", args=args)

    def slice(self, track, name, start, end, **args):
        # speedscope closes an empty slice before it opens it, so one of no duration is an instant.
        ts = self.microseconds(start)
        dur = self.microseconds(end) - ts
        if dur == 0:
            self.instant(track, name, start, **args)
        else:
            self.add("X", track, name, ts=ts, dur=dur, args=args)

    def begin(self, track, name, event, **args):
        self.begun[track] = name, event, args

    def end(self, track, time, **args):
        """The slice that has begun on the track, if its start is in the trace."""
        if track in self.begun:
            name, event, more = self.begun.pop(track)
            self.slice(track, name, event.time, time, begins=event.kind, context=event.context(), **more, **args)

    def event(self, event):
        timer, time = event.subject, event.time
        if event.kind == "cascaded":
            self.instant(timer, f"to slot {event.value}", time)
        elif event.kind in ("armed", "moved", "cancelled"):
            self.end(timer, time, ends=event.kind)
            if event.kind != "cancelled":
                self.begin(timer, "pending", event, expires=event.value)
        elif event.kind == "callback_begins":
            self.late(event)
            self.end(timer, time, ends=event.kind)
            # Callbacks do not nest, so one that has lost its end ends here.
            self.end("callbacks", time, ends="lost")
            self.begin("callbacks", self.names[timer], event, expires=event.value)
        elif event.kind == "callback_ends":
            self.end("callbacks", time)
        elif event.kind == "cascade_begins":
            self.begin("cascades", f"slot {event.subject}", event)
        elif event.kind == "cascade_ends":
            self.end("cascades", time)
        elif event.kind == "sleeps":
            self.begin("sleep", "asleep", event)
        elif event.kind == "wakes":
            self.end("sleep", time)
        elif event.kind == "tick_with_work":
            lag = (event.subject - event.value + 1) % 2**32
            self.instant("ticks with work", event.kind, time, jiffies=event.subject, lag=lag, context=event.context())

    def late(self, event):
        """A late timer, at the end of its pending time. It is not late before it is armed."""
        if event.late:
            armed = self.begun[event.subject][1].time if event.subject in self.begun else 0
            text = f"LATE {event.late // self.counts_per_tick} ticks"
            self.slice(event.subject, text, max(armed, event.time - event.late), event.time)

    def drawn(self):
        for event in self.events:
            self.event(event)
        # A slice that has not ended ends with the trace.
        for track in list(self.begun):
            self.end(track, self.events[-1].time, ends="end of the trace")
        return self.entries


class SaveTimerTrace(gdb.Command):
    """Save what a wheel did last as JSON.
save timer-trace FILE [RING]
FILE is for ui.perfetto.dev. RING is tickwheel::wheel_trace unless you give another trace_ring."""

    def invoke(self, argument, from_tty):
        file, *ring = gdb.string_to_argv(argument) or [None]
        if file is None or len(ring) > 1:
            raise gdb.GdbError(self.__doc__)
        ring = gdb.parse_and_eval(ring[0] if ring else "tickwheel::wheel_trace")
        ring = snapshot(int(ring.address), ring.type)
        time_hz, counts_per_tick = int(ring["time_hz"]), int(ring["counts_per_tick"])
        events, torn, damaged, lost = events_in(ring)
        counts = f"{len(events)} events, {torn} torn, {damaged} damaged, {lost} lost"
        if not events or not time_hz:
            raise gdb.GdbError("start_trace() was not called" if events else counts)
        entries = Picture(events, time_hz, counts_per_tick).drawn()
        with open(file, "w") as trace:
            json.dump({"displayTimeUnit": "ns", "traceEvents": entries}, trace, indent=0)
        print(f"{file}: {counts}")
        latest = max(events, key=lambda event: event.late)
        if latest.late:
            print(f"the latest: {Program.now().owner(latest.subject)[0]}, by {latest.late // counts_per_tick} ticks")


SaveTimerTrace("save timer-trace", gdb.COMMAND_DATA)
