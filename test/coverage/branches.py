#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which ways the conditional branches in the code of the wheel went in the unit tests on a board, for each build.
A way that no test goes needs a reason in the file `ways_missed`.

branches.py PREFIX FOLDER ..    each folder has 8-6/unit.elf, 8-6/libwheel.a and `branches`, which the plugin wrote
"""
import collections
import posixpath
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
prefix, *folders = sys.argv[1:]
CONDITIONAL = re.compile(r"^ *([0-9a-f]+):\t\S.*?\t((?:b(?:eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z)\S*)\t.*?([0-9a-f]+) <", re.M)


def binutils(tool, *arguments):
    return subprocess.run([prefix + tool, *arguments], check=True, capture_output=True, text=True).stdout


def branches_of(folder):
    """(address, function) of each conditional branch in the functions of core/tickwheel.cpp."""
    defined = {words[2] for words in map(str.split, binutils("nm", f"{folder}/8-6/libwheel.a").splitlines())
               if len(words) == 3 and words[1] in "TtW"}
    found = []
    for text in re.split(r"\n(?=[0-9a-f]{8} <)", binutils("objdump", "-d", f"{folder}/8-6/unit.elf")):
        name = re.match(r"[0-9a-f]{8} <(.*)>:", text)
        if name and name[1] in defined:
            found += [(int(at, 16), name[1]) for at, _, _ in CONDITIONAL.findall(text)]
    return found


def frames_of(folder, addresses):
    """The places of each address, from the innermost inlined call outwards: (file, line)."""
    said = binutils("addr2line", "-aie", f"{folder}/8-6/unit.elf", *map(hex, addresses))
    frames = []
    for line in said.splitlines():
        if line.startswith("0x"):
            frames.append([])
        else:
            file, _, number = line.partition(" ")[0].rpartition(":")
            frames[-1].append((posixpath.normpath("core/" + f"/{file}".rpartition("/core/")[2]), number))
    return frames


def text_of(file, number):
    path = Path(file)
    return path.read_text().splitlines()[int(number) - 1].strip() if number.isdigit() and path.exists() else "?"


# (function or any, file, text of the line) -> reason
reasons = {}
for line in (HERE / "ways_missed").read_text().splitlines():
    if line and not line.startswith("#"):
        function, file, text, reason = (part.strip() for part in line.split(" | "))
        reasons[function, file, text] = reason

used, unexplained = set(), collections.Counter()
for folder in folders:
    ways = {int(at, 16): (int(on), int(off)) for at, on, off in
            map(str.split, Path(folder, "branches").read_text().splitlines())}
    branches = branches_of(folder)
    if not branches or not ways:
        sys.exit(f"branches.py: {folder} has no branches")
    seen = sum(sum(count > 0 for count in ways.get(at, ())) for at, _ in branches)
    missed = [(at, function) for at, function in branches if 0 in ways.get(at, (0, 0))]
    names = binutils("c++filt", "-p", *(function for _, function in missed)).split("\n") if missed else []
    explained = 0
    for (at, _), name, frames in zip(missed, names, frames_of(folder, [at for at, _ in missed]) if missed else ()):
        name = name.rpartition("::")[2]
        places = [(file, text_of(file, number)) for file, number in frames]
        key = next(((who, *place) for place in places for who in (name, "any") if (who, *place) in reasons), None)
        lacking = sum(count == 0 for count in ways.get(at, (0, 0)))
        if key:
            used.add(key)
            explained += lacking
        else:
            never = " and ".join(way for way, count in zip(("going on", "branching"), ways.get(at, (0, 0))) if count == 0)
            unexplained[f"{name} | {' | '.join(places[0])} | {never}" + "".join(
                f" < {file.rpartition('/')[2]}:{number}" for file, number in frames)] += 1
            print(f"  {Path(folder).name} {at:x} {name}: {places[0][0]}: {places[0][1]}: never {never}")
    print(f"{Path(folder).name:18} {len(branches):4} branches, {seen:4} of {2 * len(branches):4} ways = "
          f"{50 * seen / len(branches):5.1f} %, {explained} with a reason")
stale = [" | ".join(key) for key in reasons if key not in used]
print("Of instructions in IT blocks no plugin sees the way.")
if unexplained or stale:
    sys.exit("\n".join(["branches.py:"] + [f"  no reason given: {place}" for place in unexplained] +
                       [f"  a reason that no build needs: {place}" for place in stale]))
