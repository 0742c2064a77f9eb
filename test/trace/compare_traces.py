#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs test/trace/firmware.cpp, lets GDB save a trace where it stops, and compares the traces with what must have
happened.

    QEMU=.. compare_traces.py FIRMWARE.elf FOLDER"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = HERE.parent.parent / "tools" / "gdb"
BUSY = [f"busy-{i}" for i in range(30)]
# The trace of the events that the firmware has told the recorder. Times are in microseconds from the first event.
TOLD = """
callbacks: 2000 to 5490 a, begins callback_begins, context PendSV, expires 4294967
callbacks: 5500 to 5590 b, begins callback_begins, context PendSV, expires 4294969, ends lost
callbacks: 5590 to 5690 c, begins callback_begins, context PendSV, expires 4294966
cascades: 5990 to 6000 slot 300, begins cascade_begins, context SysTick
ticks with work: 1990 tick_with_work, jiffies 4294967, lag 2, context SysTick
sleep: 6010 to 95990 asleep, begins sleeps, context thread
a: 0 to 2000 pending, begins armed, context thread, expires 4294967, ends callback_begins
a: 5990 to slot 7
a: 96000 to 96010 pending, begins armed, context thread, expires 4294967, ends cancelled
b: 10 to 30 pending, begins armed, context thread, expires 4294974, ends moved
b: 3990 to 5500 LATE 1 ticks
b: 30 to 5500 pending, begins moved, context thread, expires 4294969, ends callback_begins
b: 96010 pending, begins armed, context thread, expires 4294969, ends moved
b: 96010 to 96020 pending, begins moved, context thread, expires 4294969, ends end of the trace
c: 2000 to 5590 LATE 4 ticks
c: 2000 to 5590 pending, begins armed, context IRQ 4, expires 4294966, ends callback_begins
"""
# No recorder writes these: a bit that it leaves 0, and the kinds 0 and 12.
DAMAGE = [f"set var told.records[{number}].head.value {change}"
          for number, change in ((3, "|= 1 << 9"), (11, "&= ~(15 << 12)"), (13, "^= (10 ^ 12) << 12"))]
DAMAGED_TRACKS = ("ticks with work:", "a: 5990 to slot", "sleep:")
# How often the time of a record is before that of the record before it.
TIMES_THAT_GO_BACK = "; ".join((
    "python ring = gdb.parse_and_eval('tickwheel::wheel_trace')",
    "times = [word(ring['records'][(word(ring['written']) + i) % 256]['time']) for i in range(256)]",
    "print('back', sum((later - earlier) % 2**32 >= 2**31 for earlier, later in zip(times, times[1:])))"))
# A callback that erases flash delays the one of a sensor. Times are in milliseconds from the start of the poll.
LATE = """
callbacks: flash.erase 55 to 205
callbacks: sensor.poll 50 to 50
callbacks: sensor.poll 550 to 550
callbacks: sensor.ready 205 to 205
flash.erase: pending 0 to 55
sensor.poll: pending 0 to 50
sensor.poll: pending 50 to 550
sensor.poll: pending 550 to 550
sensor.ready: LATE 115 ticks 90 to 205
sensor.ready: pending 50 to 205
sensor.ready: pending 550 to 550
"""
# The traces in the order in which GDB saves them: its commands before, and the ring.
NEXT_STOP = ["continue", TIMES_THAT_GO_BACK]
SAVED = {"told": ([], "told"), "damaged": (DAMAGE, "told"), "torn": ([], "turned"),
         **{name: (NEXT_STOP, "") for name in (*BUSY, "late")}, "turned": ([], "turned")}
passed = failed = 0


def check(what, found, expected=True):
    global passed, failed
    if found == expected:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what}: {found}, not {expected}")


def saved(elf, folder):
    """What GDB prints, and the traces by their names."""
    files = {name: folder / f"{name}.json" for name in SAVED}
    for file in files.values():
        file.unlink(missing_ok=True)
    qemu = os.environ["QEMU"].replace("-serial stdio", "-serial null -S -gdb stdio")
    commands = ["set pagination off", "set remotetimeout 60", f"target remote | exec {qemu} {elf}", "break stop_here", "continue"]
    for name, (before, ring) in SAVED.items():
        commands += [*before, f"save timer-trace {files[name]} {ring}"]
    commands += ["print cost_of_an_event", f"gcore {folder / 'core'}", "kill"]
    said = gdb(elf, commands)
    # A core file gives the same trace.
    core_trace = folder / "core.json"
    said += gdb(elf, [f"core-file {folder / 'core'}", f"save timer-trace {core_trace}", "save timer-trace"])
    if not all(file.exists() for file in files.values()):
        sys.exit(f"GDB printed\n{said}\n0 passed, 1 failed")
    check("the trace of a core file", core_trace.read_text(), files["late"].read_text())
    return said, {name: json.loads(file.read_text())["traceEvents"] for name, file in files.items()}


def gdb(elf, commands):
    words = [word for command in commands for word in ("-ex", command)]
    return subprocess.run(["test/with_limit", "100", "gdb-multiarch", "-nx", "-batch", "-x", TOOLS / "tickwheel_gdb.py",
                           "-x", TOOLS / "tickwheel_trace.py", *words, elf],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def tracks_of(entries):
    """The name of each track, and its events and slices."""
    names = {entry["tid"]: entry["args"]["name"] for entry in entries if entry["ph"] == "M"}
    shown = [entry for entry in entries if entry["ph"] != "M"]
    return {name: [entry for entry in shown if entry["tid"] == track] for track, name in names.items()}


def lines_of(entries):
    """What a trace shows, by its tracks."""
    for track, events in tracks_of(entries).items():
        for entry in events:
            until = f" to {entry['ts'] + entry['dur']:g}" if entry["ph"] == "X" else ""
            yield ", ".join([f"{track}: {entry['ts']:g}{until} {entry['name']}",
                             *(f"{name} {value}" for name, value in entry.get("args", {}).items())])


def check_busy(name, entries):
    """No callback is late, and the times follow the ticks. Returns the contexts."""
    check(f"{name}: times that a viewer cannot add exactly", [
        entry for entry in entries if any(entry.get(key, 0) * 2**10 % 1 for key in ("ts", "dur"))], [])
    ticks = [(entry["ts"], entry["args"]["jiffies"]) for entry in tracks_of(entries)["ticks with work"]]
    check(f"{name}: each tick with work is in its own tick", all(
        abs(time - ticks[0][0] - 1000 * (tick - ticks[0][1])) < 500 for time, tick in ticks))
    check(f"{name}: late timers", [entry for entry in entries if entry["name"].startswith("LATE")], [])
    return {entry["args"]["context"] for entry in entries if "context" in entry.get("args", {})}


def main(elf, folder):
    elf, folder = Path(elf), Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    said, traces = saved(elf, folder)
    counts = dict(re.findall(r"/([\w-]+)\.json: (.*)", said))
    check("what the recorder is told", list(lines_of(traces["told"])), TOLD.split("\n")[1:-1])
    check("records that are damaged", counts.get("damaged"), "17 events, 0 torn, 3 damaged, 0 lost")
    check("the others of that ring", list(lines_of(traces["damaged"])),
          [line for line in TOLD.split("\n")[1:-1] if not line.startswith(DAMAGED_TRACKS)])
    check("times that go back", re.findall(r"^back (\d+)", said, re.M), ["0"] * (len(BUSY) + 1))
    check("a writer that was interrupted for a whole turn", counts["turned"], "7 events, 1 torn, 0 damaged, 3 lost")
    # It has written over the record of tick 7.
    ticks = [entry["args"]["jiffies"] for entry in traces["turned"] if entry["ph"] == "i"]
    check("its events", ticks, [2, 3, 4, 5, 6, 8, 9])
    check("GDB stops in the middle of a record", counts["torn"], "1 events, 1 torn, 0 damaged, 0 lost")
    contexts = set()
    for name in BUSY:
        check(name, re.sub(r"\d+ lost", "", counts[name]), "256 events, 0 torn, 0 damaged, ")
        contexts |= check_busy(name, traces[name])
    check("contexts that record", contexts, {"thread", "PendSV", "SysTick"})
    shown = {track for name in (*BUSY, "late") for track, events in tracks_of(traces[name]).items() if events}
    check("tracks", shown, {"callbacks", "cascades", "ticks with work", "sleep", "often", "pushed", "far_away",
                            "flash.erase", "sensor.poll", "sensor.ready"})

    tracks = tracks_of(traces["late"])
    start = tracks["sensor.poll"][0]["ts"]

    def milliseconds(time):
        return round((time - start) / 1000)
    slices = [f"{track}: {entry['name']} {milliseconds(entry['ts'])} to {milliseconds(entry['ts'] + entry['dur'])}"
              for track in ("callbacks", "flash.erase", "sensor.poll", "sensor.ready") for entry in tracks[track]
              if entry["ph"] == "X" and entry["ts"] >= start]
    check("a late callback and its reason", sorted(slices), LATE.split("\n")[1:-1])
    check("GDB names the latest", re.findall("the latest: .*", said)[-1], "the latest: sensor.ready, by 115 ticks")
    check("without a file the command says what it needs", "save timer-trace FILE [RING]" in said)

    made = subprocess.run(["arm-none-eabi-nm", elf], capture_output=True, text=True, check=True).stdout
    check("the recorder has constructors", "_GLOBAL__sub_I" in made, False)
    # The page has the cost of an event for two boards.
    page = (HERE.parent.parent / "docs" / "tracing.md").read_text()
    costs_on_page = re.search(r"(\d+) instructions on a Cortex-M3 and (\d+) on a Cortex-M0", page)
    cost = re.search(r"^\$\d+ = (\d+)", said, re.M)[1]
    print(f"an event takes {cost} instructions\n{folder / 'late.json'} shows why a timer is late")
    costs = {"mps2-an385": costs_on_page[1], "microbit": costs_on_page[2]}
    check("the instructions of an event", cost, costs.get(folder.name, cost))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
