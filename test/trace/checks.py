# SPDX-License-Identifier: MIT
"""What the tests of tools/trace share: running, converting, and what trace.json must have."""
import collections
import json
import re
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools" / "trace"
LIMITED = TOOLS.parent.parent / "test" / "limited"
sys.path.insert(0, str(TOOLS))
import records  # noqa: E402

passed = failed = 0


def check(what, found, expected=True):
    global passed, failed
    if found == expected:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what}: {found}, not {expected}")


def end():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


def run(*command, **options):
    done = subprocess.run([str(LIMITED), "100", *map(str, command)], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}\n0 passed, 1 failed")
    return done.stdout


def in_qemu(qemu, elf, folder, script=None):
    """What the firmware prints. It writes its files to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = run(*qemu.split(), elf.resolve(), cwd=folder, input=script or "")
    (folder / "printed.txt").write_text(text)
    return text


def counted(text):
    """The numbers behind the last words of each part: `armed 24, moved 1`."""
    return {name: int(number) for name, number in re.findall(r"(?:^|, )([a-z ]+) (\d+)(?=[, \n])", text, re.M)}


def events_in(entries):
    """How many events of each kind trace.json shows."""
    counts = collections.Counter()
    for entry in entries:
        args = entry.get("args", {})
        if entry["ph"] == "i" and "event" in args:
            counts[args["event"]] += 1
        elif entry.get("cat") == "callback":
            counts["callback_ends"] += 1
        elif entry["ph"] == "X" and "begins" in args:
            counts[args["begins"]] += 1
            if args.get("ends") == "cancelled":
                counts["cancelled"] += 1
            end_of = {"cascade_begins": "cascade_ends", "sleeps": "wakes"}
            if args["begins"] in end_of and "ends" not in args:
                counts[end_of[args["begins"]]] += 1
    return counts


def wrong_times(entries):
    """How many events lie before time 0 or before the event that their track shows before them, and how many slices end
    before they begin, or behind the slice that they begin in."""
    events, slices = collections.defaultdict(list), collections.defaultdict(list)
    for entry in entries:
        track = entry["pid"], entry["tid"]
        if entry["ph"] == "X":
            slices[track].append((entry["ts"], -entry["dur"]))
        elif entry["ph"] == "i" and "event" in entry["args"]:
            events[track].append(entry["ts"])
    found = 0
    for times in events.values():
        found += sum(time < before for before, time in zip([0, *times], times))
    for track in slices.values():
        around = []
        for begin, minus_length in sorted(track):
            while around and around[-1] <= begin:
                around.pop()
            end = begin - minus_length
            found += begin < 0 or end < begin or (bool(around) and end > around[-1])
            around.append(end)
    return found


def tracks_in(entries):
    """The process and the thread of each track, by its name."""
    return {entry["args"]["name"]: (entry["pid"], entry["tid"]) for entry in entries if entry["name"] == "thread_name"}


def convert(trace, elf, folder):
    """Converts to trace.json in the folder, and compares that with the records. Returns the trace and the entries of trace.json."""
    file = folder / "trace.json"
    print(run(TOOLS / "convert.py", trace, "--elf", elf, "--out", file), end="")
    read = records.read(trace.read_bytes())
    entries = json.loads(file.read_text())["traceEvents"]
    check("events in trace.json", events_in(entries), read.counts())
    check("wrong times in trace.json", wrong_times(entries), 0)
    return read, entries


def check_counts(trace, printed):
    """What the firmware has counted by its statistics."""
    counts, own = trace.counts(), counted(printed)
    for name, of in (("armed", "armed"), ("moved", "moved"), ("cancelled", "cancelled"), ("callback_begins", "fired"),
                     ("cascaded", "cascaded")):
        check(f"{name}, and what the firmware counted", counts[name], own[of])
    check("events, and what the firmware recorded", len(trace.events), own["events"])
    return own
