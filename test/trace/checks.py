# SPDX-License-Identifier: MIT
"""What the tests of tools/trace share: the counts of events in each file that convert.py writes, by what reads it."""
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


def in_json(file):
    counts = collections.Counter()
    for entry in json.loads(file.read_text())["traceEvents"]:
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
    return +counts


def overlaps(text):
    """How many slices of a track end behind the slice that they begin in."""
    tracks = collections.defaultdict(list)
    for entry in json.loads(text)["traceEvents"]:
        if entry["ph"] == "X":
            tracks[entry["pid"], entry["tid"]].append((entry["ts"], -entry["dur"]))
    found = 0
    for track in tracks.values():
        around = []
        for begin, minus_length in sorted(track):
            while around and around[-1] <= begin:
                around.pop()
            found += bool(around) and begin - minus_length > around[-1]
            around.append(begin - minus_length)
    return found


def in_ctf(folder):
    """By babeltrace2."""
    return collections.Counter(re.findall(r"^\[[\d:.]+\] \([^)]*\) (\w+): \{", run("babeltrace2", folder), re.M))


def in_vcd(file):
    """By vcd2fst, which must take the file, and by its lines."""
    run("vcd2fst", file, file.with_suffix(".fst"))
    declared, _, rest = file.read_text().partition("$dumpvars")
    signals = dict(re.findall(r"\$var wire \d+ (\S+) (\w+) \$end", declared))
    changes = collections.Counter()
    for value, code in re.findall(r"^(?:b(?=\S+ )|)([01x]+) ?(\S+)$", rest.partition("$end")[2], re.M):
        changes[signals[code], value if signals[code] in ("pending", "running", "cascade", "asleep") else value != "x"] += 1
    return +collections.Counter({
        "armed": changes["pending", "1"], "moved": changes["expires", True] - changes["pending", "1"],
        "cancelled": changes["pending", "0"] - changes["running", "1"], "callback_begins": changes["running", "1"],
        "callback_ends": changes["running", "0"], "cascade_begins": changes["cascade", "1"],
        "cascade_ends": changes["cascade", "0"], "cascaded": changes["slot", True], "tick_with_work": changes["jiffies", True],
        "sleeps": changes["asleep", "1"], "wakes": changes["asleep", "0"]})


def convert(trace, elf, folder):
    """Converts, and compares the three files with each other. Returns the trace and its counts."""
    print(run(sys.executable, "-B", TOOLS / "convert.py", trace, "--elf", elf, "--out", folder), end="")
    read = records.read(trace.read_bytes())
    counts = +collections.Counter(read.counts())
    check("events in trace.json", in_json(folder / "trace.json"), counts)
    check("slices that overlap", overlaps((folder / "trace.json").read_text()), 0)
    check("events in ctf", in_ctf(folder / "ctf"), counts)
    counts_of_vcd = in_vcd(folder / "trace.vcd")
    check("events in trace.vcd", counts_of_vcd, counts - collections.Counter(started=counts["started"]))
    return read, counts


def check_counts(counts, printed):
    """What the firmware has counted by its statistics."""
    own = counted(printed)
    for name, of in (("armed", "armed"), ("moved", "moved"), ("cancelled", "cancelled"), ("callback_begins", "fired"),
                     ("cascaded", "cascaded")):
        check(f"{name}, and what the firmware counted", counts[name], own[of])
    check("events, and what the firmware recorded", sum(counts.values()), own["events"])
    return own
