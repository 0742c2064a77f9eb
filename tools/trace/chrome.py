# SPDX-License-Identifier: MIT
"""A trace in the JSON of Chrome's about:tracing, which ui.perfetto.dev and speedscope read. Each timer has two tracks: its
callbacks, and when it was pending. An arrow leads from an arm to its callback."""
import json

TIMERS, WHEEL = 1, 2
CASCADES, TICKS, SLEEP = 1, 2, 3


class Writer:
    def __init__(self, trace, names):
        self.trace, self.names = trace, names
        self.tracks = {address: 2 * i + 1 for i, address in enumerate(names)}
        self.out = []
        self.begun = {}
        self.flows = 0
        for process, name in ((TIMERS, "timers"), (WHEEL, "wheel")):
            self.note(process, 0, "process_name", name)
        for address, track in self.tracks.items():
            self.note(TIMERS, track, "thread_name", names[address])
            self.note(TIMERS, track + 1, "thread_name", f"{names[address]}: pending")
        for track, name in ((CASCADES, "cascades"), (TICKS, "ticks with work"), (SLEEP, "sleep")):
            self.note(WHEEL, track, "thread_name", name)

    def note(self, process, track, what, name):
        self.out.append({"ph": "M", "pid": process, "tid": track, "name": what, "args": {"name": name}})

    def microseconds(self, counts):
        return round(counts * 10**6 / self.trace.time_hz, 3)

    def add(self, phase, process, track, name, time, **more):
        self.out.append({"ph": phase, "pid": process, "tid": track, "name": name, "ts": self.microseconds(time), **more})

    def instant(self, process, track, name, event, **args):
        self.add("i", process, track, name, event.time, s="t", args={"event": event.kind, "context": event.context, **args})

    def begin(self, of, event):
        self.begun[of] = event

    def end(self, of, process, track, name, time, **args):
        """A slice from what was begun. Nothing, if the trace begins later than that. Returns the event that began it."""
        began = self.begun.pop(of, None)
        if began is not None:
            self.add("X", process, track, name, began.time, dur=self.microseconds(time - began.time),
                     args={"begins": began.kind, "context": began.context, **args})
        return began

    def end_pending(self, event, end):
        track = self.tracks[event.subject] + 1
        armed = self.begun.get(("pending", event.subject))
        for_tick = {"expires": armed.value} if armed else {}
        return self.end(("pending", event.subject), TIMERS, track, "pending", event.time, ends=end, **for_tick)

    def event(self, event):
        timer = event.subject
        if event.kind in ("armed", "moved", "cancelled"):
            self.end_pending(event, event.kind)
            if event.kind != "cancelled":
                self.begin(("pending", timer), event)
        elif event.kind == "callback_begins":
            armed = self.end_pending(event, event.kind)
            self.begin(("callback", timer), event)
            if armed is not None:
                self.flows += 1
                for phase, track, time, more in (("s", self.tracks[timer] + 1, armed.time, {}),
                                                 ("f", self.tracks[timer], event.time, {"bp": "e"})):
                    self.add(phase, TIMERS, track, "arm", time, id=self.flows, cat="arm", **more)
        elif event.kind == "callback_ends":
            began = self.begun.get(("callback", timer))
            late = {} if began is None else {"expires": began.value, "lateness_ticks": began.lateness}
            if began is not None and began.late_counts is not None:
                late["lateness_us"] = self.microseconds(began.late_counts)
            self.end(("callback", timer), TIMERS, self.tracks[timer], self.names[timer], event.time, **late)
        elif event.kind == "cascaded":
            self.instant(TIMERS, self.tracks[timer] + 1, f"to slot {event.value}", event)
        elif event.kind == "cascade_begins":
            self.begin("cascade", event)
        elif event.kind == "cascade_ends":
            self.end("cascade", WHEEL, CASCADES, f"slot {event.subject}", event.time)
        elif event.kind == "sleeps":
            self.begin("sleep", event)
        elif event.kind == "wakes":
            self.end("sleep", WHEEL, SLEEP, "sleep", event.time)
        else:
            args = {"lag": (event.subject - event.value + 1) % 2**32} if event.kind == "tick_with_work" else {}
            self.instant(WHEEL, TICKS, event.kind, event, jiffies=event.now, **args)

    def finish(self):
        """What has begun and not ended ends with the trace."""
        last = self.trace.events[-1].time if self.trace.events else 0
        for of, began in list(self.begun.items()):
            if of[0] == "pending":
                self.end(of, TIMERS, self.tracks[of[1]] + 1, "pending", last, ends="end of the trace", expires=began.value)
            elif of[0] == "callback":
                self.end(of, TIMERS, self.tracks[of[1]], self.names[of[1]], last, ends="end of the trace")
            else:
                self.end(of, WHEEL, CASCADES if of == "cascade" else SLEEP, of, last, ends="end of the trace")


def text(trace, names):
    writer = Writer(trace, names)
    for event in trace.events:
        writer.event(event)
    writer.finish()
    other = {"time_hz": trace.time_hz, "torn": trace.torn, "lost": trace.lost}
    lines = ",\n".join(json.dumps(entry) for entry in writer.out)
    return f'{{"displayTimeUnit": "ns", "otherData": {json.dumps(other)}, "traceEvents": [\n{lines}\n]}}\n'
