# SPDX-License-Identifier: MIT
"""A trace as VCD: a scope for each timer, and one for the wheel."""
import re

SIGNALS = {"pending": 1, "running": 1, "expires": 32, "lateness": 32, "slot": 32}
WHEEL = {"cascade": 1, "asleep": 1, "jiffies": 32}


def codes():
    """Names of variables: one or more printable characters."""
    number = 0
    while True:
        code, rest = "", number
        while True:
            code, rest = code + chr(33 + rest % 94), rest // 94 - 1
            if rest < 0:
                break
        yield code
        number += 1


def text(trace, names):
    code = codes()
    variables = {}
    lines = ["$timescale 1 ns $end", "$scope module tickwheel $end"]
    scopes = [(None, "wheel", WHEEL), *((address, name, SIGNALS) for address, name in names.items())]
    for of, name, signals in scopes:
        lines.append(f"$scope module {re.sub('[^A-Za-z0-9_]+', '_', name).strip('_')} $end")
        for signal, bits in signals.items():
            variables[of, signal] = next(code)
            lines.append(f"$var wire {bits} {variables[of, signal]} {signal} $end")
        lines.append("$upscope $end")
    lines += ["$upscope $end", "$enddefinitions $end"]

    def set_to(of, signal, value):
        variable = variables[of, signal]
        lines.append(f"{value}{variable}" if {**SIGNALS, **WHEEL}[signal] == 1 else
                     f"b{value if value == 'x' else format(value, 'b')} {variable}")

    lines += ["#0", "$dumpvars"]
    for of, _, signals in scopes:
        for signal, bits in signals.items():
            set_to(of, signal, 0 if bits == 1 else "x")
    lines.append("$end")
    for event in trace.events:
        timer = event.subject
        # Time 0 is that of the values above.
        lines.append(f"#{(event.time + 1) * 10**9 // trace.time_hz}")
        if event.kind in ("armed", "moved"):
            if event.kind == "armed":
                set_to(timer, "pending", 1)
            set_to(timer, "expires", event.value)
            set_to(timer, "slot", "x")
        elif event.kind == "cancelled":
            set_to(timer, "pending", 0)
        elif event.kind == "callback_begins":
            set_to(timer, "pending", 0)
            set_to(timer, "running", 1)
            set_to(timer, "lateness", "x" if event.lateness is None else event.lateness)
        elif event.kind == "callback_ends":
            set_to(timer, "running", 0)
        elif event.kind in ("cascade_begins", "cascade_ends"):
            set_to(None, "cascade", int(event.kind == "cascade_begins"))
        elif event.kind == "cascaded":
            set_to(timer, "slot", event.value)
        elif event.kind == "tick_with_work":
            set_to(None, "jiffies", event.subject)
        elif event.kind in ("sleeps", "wakes"):
            set_to(None, "asleep", int(event.kind == "sleeps"))
    return "\n".join(lines) + "\n"
