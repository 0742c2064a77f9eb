#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the code of core that the tests on the host leave out, from llvm-cov's JSON of each program: code that nothing
reaches, ways of a branch that nothing goes, and conditions whose own effect on their decision (MC/DC) nothing shows. Each needs
a reason in the file `missed`. One instance of a template is enough, in one of the programs.

coverage.py FILE.json ..
"""
import json
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

KINDS = ("code", "branch", "condition")
# [kind][file, line, column]: whether each of its parts was seen.
seen = {kind: defaultdict(lambda: [False]) for kind in KINDS}


def add(kind, file, line, column, parts):
    before = seen[kind].get((file, line, column), [False] * len(parts))
    seen[kind][file, line, column] = [one or other for one, other in zip(before, parts)]


for path in sys.argv[1:]:
    for function in json.loads(Path(path).read_text())["data"][0]["functions"]:
        files = [os.path.relpath(file) for file in function["filenames"]]
        for line, column, _, _, count, file, _, kind in function["regions"]:
            if kind == 0 and files[file].startswith("core/"):
                add("code", files[file], line, column, [count > 0])
        for line, column, _, _, whenever, otherwise, file, _, _ in function["branches"]:
            if files[file].startswith("core/"):
                add("branch", files[file], line, column, [whenever > 0, otherwise > 0])
        for line, column, _, _, file, _, conditions in function.get("mcdc_records", ()):
            if files[file].startswith("core/"):
                add("condition", files[file], line, column, conditions)

reasons = {}
for line in (Path(__file__).parent / "missed").read_text().splitlines():
    if line and not line.startswith("#"):
        file, text, reason = (part.strip() for part in line.split(" | "))
        reasons[file, text] = reason

reached, whole, unexplained, used = Counter(), Counter(), [], set()
missed = defaultdict(list)
for kind in KINDS:
    for (file, line, _), parts in seen[kind].items():
        reached[file, kind] += sum(parts)
        whole[file, kind] += len(parts)
        if not all(parts):
            missed[file, line].append(kind)
names = sorted({file for file, _ in whole})
print(f"{'':36}{'code':>12}{'branches':>12}{'conditions':>12}")
for name in names:
    print(f"{name:36}" + "".join(f"{reached[name, kind]:>7} /{whole[name, kind]:>3}" for kind in KINDS))
    for (file, line), kinds in sorted(missed.items()):
        if file == name:
            above, text = (one.strip() for one in Path(file).read_text().splitlines()[line - 2:line])
            # A body stands below the name of its function.
            text = above if text == "{" else text
            reason = reasons.get((file, text))
            if reason is None:
                unexplained.append(f"{file}:{line}")
            used.add((file, text))
            print(f"  {', '.join(dict.fromkeys(kinds))} {line}: {text}\n    {reason or 'no reason given'}")
print("".join([f"{'all':36}"] + [f"{sum(reached[name, kind] for name in names):>7} /{sum(whole[name, kind] for name in names):>3}"
                               for kind in KINDS]))
stale = [f"{file} | {text}" for file, text in reasons if (file, text) not in used]
if unexplained or stale or not whole:
    sys.exit("\n".join(["coverage.py:"] + [f"  not covered: {place}" for place in unexplained] +
                       [f"  a reason for a line that is covered, or gone: {place}" for place in stale]))
