# SPDX-License-Identifier: MIT
"""A trace in the JSON of Chrome's trace viewer, which ui.perfetto.dev and speedscope read. The first track has all callbacks,
and inside a callback the timers that wait for its end, so they are late. Each timer has a track of its own: when it was
pending, and when it was late. An arrow leads from an arm to its callback."""
import bisect
import collections
import json
from dataclasses import dataclass

# A track is a thread of a process.
TIMERS, WHEEL = 1, 2
CALLBACKS, FIRST_TIMER = (TIMERS, 1), 2
CASCADES, TICKS, SLEEP = (WHEEL, 1), (WHEEL, 2), (WHEEL, 3)
# Seconds that are drawn at most: of a stretch without an event while no callback runs, and of the time for which a timer is late.
LONGEST_GAP, LONGEST_LATE = 0.01, 1
UNITS = ((86400, "days"), (3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms"), (1e-6, "us"))
# In Chrome. Other viewers choose a colour by the name.
RED, GREY = {"cname": "terrible"}, {"cname": "grey"}


@dataclass
class Callback:
    """One call. It waits from `due` until it begins; these are equal if it is in time. `ends` says if its end was not recorded."""
    begins: object
    due: int
    end: int = None
    ends: str = ""


def callbacks_of(trace):
    """In their order. They do not overlap: one that has lost its end ends where the next one begins."""
    calls, changed = [], {}

    def close(time, ends):
        if calls and calls[-1].end is None:
            calls[-1].end, calls[-1].ends = time, ends

    for event in trace.events:
        if event.kind == "callback_begins":
            close(event.time, "lost")
            calls.append(Callback(event, event.time))
            if event.lateness:
                # A timer is not late before it is armed.
                late = min(event.late_counts or 0, LONGEST_LATE * trace.time_hz)
                calls[-1].due = min(event.time, max(event.time - late, changed.get(event.subject, 0)))
        elif event.kind == "callback_ends" and calls and calls[-1].begins.subject == event.subject:
            close(event.time, "")
        if event.kind in ("armed", "moved", "cancelled", "callback_begins"):
            changed[event.subject] = event.time
    close(trace.events[-1].time, "end of the trace")
    return calls


def gaps_of(trace, calls):
    """The stretches in which no event comes, no callback runs and no timer is late, if they are too long to be drawn."""
    begun = collections.Counter(call.due for call in calls)
    begun.subtract(call.end for call in calls)
    times = sorted({event.time for event in trace.events}.union(begun))
    running = 0
    for time, later in zip(times, times[1:]):
        running += begun[time]
        if running == 0 and later - time > LONGEST_GAP * trace.time_hz:
            yield time, later


class Writer:
    def __init__(self, trace, names, to_scale):
        self.trace = trace
        self.names = {address: names.get(address, hex(address)) for address in trace.timers()}
        self.tracks = {address: (TIMERS, number) for number, address in enumerate(self.names, FIRST_TIMER)}
        self.out, self.begun, self.flows = [], {}, 0
        self.calls = callbacks_of(trace)
        self.gaps = [] if to_scale else list(gaps_of(trace, self.calls))
        # Where each cut begins, and how much is left out until its end.
        self.cuts, self.left_out = [], [0]
        for time, later in self.gaps:
            self.cuts.append(time + int(LONGEST_GAP * trace.time_hz))
            self.left_out.append(self.left_out[-1] + later - self.cuts[-1])

    def drawn(self, counts):
        """In microseconds. Viewers add times, and a part of 1024 adds up exactly, so no slice ends behind the one around it."""
        cuts = bisect.bisect_right(self.cuts, counts)
        left_out = min(self.left_out[cuts], counts - self.cuts[cuts - 1] + self.left_out[cuts - 1]) if cuts else 0
        return round((counts - left_out) * 10**6 * 1024 / self.trace.time_hz) / 1024

    def readable(self, counts):
        seconds = counts / self.trace.time_hz
        size, unit = next((unit for unit in UNITS if seconds >= unit[0]), UNITS[-1])
        return f"{seconds / size:.{0 if seconds >= 10 * size else 1}f} {unit}"

    def add(self, phase, track, name, **more):
        process, thread = track
        self.out.append({"ph": phase, "pid": process, "tid": thread, "name": name, **more})

    def instant(self, track, name, event, **args):
        self.add("i", track, name, ts=self.drawn(event.time), s="t", args={"event": event.kind, "context": event.context, **args})

    def slice(self, track, name, begin, end, **more):
        self.add("X", track, name, ts=self.drawn(begin), dur=self.drawn(end) - self.drawn(begin), **more)

    def begin(self, track, name, event, **args):
        self.begun[track] = name, event, args

    def end(self, track, time, **more):
        """A slice from what has begun on the track, if its begin is in the trace. Returns the event that began it."""
        name, began, args = self.begun.pop(track, (None, None, None))
        if began is not None:
            self.slice(track, name, began.time, time, args={
                "begins": began.kind, "context": began.context, "lasts": self.readable(time - began.time), **args, **more})
        return began

    def name_tracks(self):
        for process, name in ((TIMERS, "timers"), (WHEEL, "wheel")):
            self.add("M", (process, 0), "process_name", args={"name": name})
        timers = [(track, self.names[address]) for address, track in self.tracks.items()]
        for track, name in [(CALLBACKS, "callbacks"), *timers, (CASCADES, "cascades"), (TICKS, "ticks with work"), (SLEEP, "sleep")]:
            self.add("M", track, "thread_name", args={"name": name})

    def callback(self, call):
        event, track = call.begins, self.tracks[call.begins.subject]
        armed = self.end(track, call.due, ends=event.kind)
        if armed is not None:
            self.flows += 1
            self.add("s", track, "arm", ts=self.drawn(armed.time), id=self.flows, cat="arm")
            self.add("f", CALLBACKS, "arm", ts=self.drawn(event.time), id=self.flows, cat="arm", bp="e")
        late = {} if event.lateness is None else {"lateness_ticks": event.lateness}
        if event.late_counts is not None:
            late["lateness_us"] = round(event.late_counts * 10**6 / self.trace.time_hz, 3)
        # speedscope shows the arguments of a slice as a part of its name, and adds up slices of one name. So these have none.
        self.instant(CALLBACKS, event.kind, event, expires=event.value, **late)
        self.slice(CALLBACKS, self.names[event.subject], event.time, call.end, cat=call.ends or "callback")

    def wait(self, call, begins):
        """A late timer: on its own track, and on the first one. There it lies inside the callback that ran when it was due, or
        before the next callback if none did."""
        text = f"LATE {self.readable(call.begins.late_counts)}"
        self.slice(self.tracks[call.begins.subject], text, call.due, call.begins.time, **RED)
        after = bisect.bisect_right(begins, call.due)
        before = self.calls[after - 1] if after else None
        until = before.end if before and before.end > call.due else begins[after]
        self.slice(CALLBACKS, f"{text}: {self.names[call.begins.subject]}", call.due, until, **RED)

    def event(self, event):
        if event.kind in ("armed", "moved", "cancelled"):
            track = self.tracks[event.subject]
            self.end(track, event.time, ends=event.kind)
            if event.kind != "cancelled":
                self.begin(track, "pending", event, expires=event.value)
        elif event.kind == "cascaded":
            self.instant(self.tracks[event.subject], f"to slot {event.value}", event)
        elif event.kind == "cascade_begins":
            self.begin(CASCADES, f"slot {event.subject}", event)
        elif event.kind == "cascade_ends":
            self.end(CASCADES, event.time)
        elif event.kind == "sleeps":
            self.begin(SLEEP, "asleep", event)
        elif event.kind == "wakes":
            self.end(SLEEP, event.time)
        elif event.kind == "tick_with_work":
            self.instant(TICKS, event.kind, event, jiffies=event.now, lag=(event.subject - event.value + 1) % 2**32)
        elif event.kind == "started":
            self.instant(TICKS, event.kind, event, jiffies=event.now)

    def write(self):
        self.name_tracks()
        calls = iter(self.calls)
        for event in self.trace.events:
            if event.kind == "callback_begins":
                self.callback(next(calls))
            else:
                self.event(event)
        # What has begun and not ended ends with the trace.
        for track in list(self.begun):
            self.end(track, self.trace.events[-1].time, ends="end of the trace")
        begins = [call.begins.time for call in self.calls]
        for call in self.calls:
            if call.due < call.begins.time:
                self.wait(call, begins)
        for time, later in self.gaps:
            self.slice(CALLBACKS, "cut short", time, later, **GREY)
            self.add("i", CALLBACKS, "cut short", ts=self.drawn(time), s="t", args={"lasts": self.readable(later - time)})


def text(trace, names, to_scale):
    """`names` has names for the addresses of timers. A timer without one is called by its address."""
    writer = Writer(trace, names, to_scale)
    writer.write()
    other = {"time_hz": trace.time_hz, "torn": trace.torn, "lost": trace.lost}
    lines = ",\n".join(json.dumps(entry) for entry in writer.out)
    return f'{{"displayTimeUnit": "ns", "otherData": {json.dumps(other)}, "traceEvents": [\n{lines}\n]}}\n'
