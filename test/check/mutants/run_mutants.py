#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Breaks the wheel in many small ways, and its ports by patches.txt, one at a time, and runs the tests that see the broken
place. A mutant that no test notices has survived. A survivor is an error unless equivalent.txt lists it.

    test/check/mutants/run_mutants.py [--short] [--quick] [--verbose] [text]

--short    the files and the lines of equivalent.txt that the last commit changed, and a tenth of the other mutants, chosen
           by the commit's hash, without those that need an emulated board. What is not judged in time is left out, and counted
--quick    without the sanitizers, the interleavings and the comparison of code: the survivors are candidates
--verbose  print the killed ones too, and by what
text       only the mutants whose names this regular expression finds

The listed ones run as with --quick, and must survive. A short run has only those that the last commit touches.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import heapq
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
os.chdir(HERE.parents[2])
import operators  # noqa: E402
import programs  # noqa: E402
import schemata  # noqa: E402

EQUIVALENT = "test/check/mutants/equivalent.txt"
PATCHES = "test/check/mutants/patches.txt"
# The part of the other files' mutants that a short run takes: one in so many.
TENTH = 10
SHORT_SECONDS = 200


def git(*arguments):
    ran = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return ran.stdout.splitlines() if ran.returncode == 0 else []


def files(*folders):
    return [file for file in git("ls-files", *folders) if file.endswith((".h", ".hpp", ".cpp", ".c"))]


def by_operators():
    """(name, line for a reader, how to make it) of each standard mutant of core, and what clang did not understand."""
    mutants, errors, everything = [], [], []
    for file in files("core"):
        source = pathlib.Path(file).read_bytes()
        found, wrong = operators.mutants_of(file)
        errors += wrong
        everything += found
        for one in found:
            changed = programs.Changed(one.name, one.function, {file: one.applied(source)})
            mutants.append((one.name, one.shown(source), changed, ()))
    programs.Program.schemata = schemata.Schemata(everything)
    return mutants, errors


def by_patches():
    """The same of each entry of patches.txt, whose first lines say how to read one."""
    mutants, errors, known = [], [], files(*schemata.PARTS)
    lines = [line for line in (HERE / "patches.txt").read_text().splitlines() if not line.startswith("#")]
    for entry in "\n".join(lines).strip().split("\n\n"):
        head, _, change = entry.partition("\n")
        if head.startswith("file "):
            file = head.removeprefix("file ")
            text = pathlib.Path(file).read_text() if file in known else ""
            continue
        name, sentence, goals = re.fullmatch(r"(?:(\w+): )?(.*?)(?: \[(.*)\])?", head).groups()
        name, goals = f"{PATCHES} {name}", tuple(goals.split()) if goals else ()
        try:
            if not programs.GOALS.keys() | programs.NAMED.keys() >= set(goals) or name in [mutant[0] for mutant in mutants]:
                raise ValueError("another one has its name, or its test is unknown")
            mutants.append((name, sentence, programs.Changed(name, "-", {file: patched(text, change).encode()}), goals))
        except ValueError as wrong:
            errors.append(f"{name} does not apply to {file}: {wrong}")
    return mutants, errors


def patched(text, change):
    for piece in change.split("\n..\n"):
        before, after = ("".join(f"{line[1:]}\n" for line in piece.splitlines() if line[0] in which) for which in (" -", " +"))
        place = re.compile("^" + re.escape(before), re.M)
        found = len(place.findall(text)) if before else 0
        if found != 1 or re.search("^[^ +-]", piece, re.M):
            raise ValueError(f"found {found} times, not once: {piece}")
        text = place.sub(lambda _: after, text)
    return text


def listed(lines):
    """The survivors that nothing can tell from the original, and why."""
    reasons = {}
    for line in lines:
        if line and not line.startswith("#"):
            names, reason = line.split(": ", 1)
            function, *operators_of = re.split(r" (?=\w+ \d+(?:, |$))|, ", names)
            reasons.update((f"{function} {one}", reason) for one in operators_of)
    return reasons


def touched_by_last_commit(reasons):
    """A function that tells whether the last commit changed the file of a mutant, or what equivalent.txt says of it."""
    files_changed = set(git("diff", "--name-only", "HEAD~1", "--", *schemata.PARTS))
    before = listed(git("show", f"HEAD~1:{EQUIVALENT}"))
    return lambda mutant: bool(files_changed & mutant[2].texts.keys()) or before.get(mutant[0]) != reasons.get(mutant[0])


def in_short_run(mutants, touched):
    commit = (git("rev-parse", "HEAD") or ["none"])[0]

    def place(mutant):
        return int(hashlib.sha256(f"{commit} {mutant[0]}".encode()).hexdigest(), 16)

    def on_host(mutant):
        return not programs.GOALS.keys() & set(mutant[3])

    # What the commit changed comes first, in an order that is another one for each commit: a time limit cuts no file off.
    return sorted((mutant for mutant in mutants if touched(mutant) or (on_host(mutant) and place(mutant) % TENTH == 0)),
                  key=lambda mutant: (not touched(mutant), place(mutant)))


def judged(mutants, steps, deadline):
    """Each mutant, and what is said of it. The threads take the step that is first in the order of all."""
    waiting, running, cores = [((), index) for index in range(len(mutants))], {}, os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        while waiting or running:
            while waiting and len(running) < cores and time.monotonic() < deadline:
                index = heapq.heappop(waiting)[1]
                running[pool.submit(next, steps[index])] = index
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                index, after = running.pop(future), future.result()
                if isinstance(after, programs.Outcome):
                    yield mutants[index], after.args
                else:
                    heapq.heappush(waiting, (after, index))
            if not running and time.monotonic() >= deadline:
                yield from ((mutants[index], ("left out", "")) for _, index in waiting)
                return


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("text", nargs="?", default="")
    asked = parser.parse_args()
    began = time.monotonic()
    shutil.rmtree(programs.OUT / "work", ignore_errors=True)
    shutil.rmtree(programs.OUT / "trees", ignore_errors=True)
    standard, errors = by_operators()
    patched, wrong = by_patches()
    errors += wrong
    everything = standard + patched
    reasons = listed(pathlib.Path(EQUIVALENT).read_text().splitlines())
    errors += [f"equivalent.txt: there is no {name}" for name in sorted(reasons.keys() - {mutant[0] for mutant in everything})]
    mutants = [mutant for mutant in everything if re.search(asked.text, mutant[0])]
    touched = touched_by_last_commit(reasons)
    if asked.short:
        mutants = in_short_run(mutants, touched)
    print(f"{len(mutants)} mutants of {len(everything)}: {len(standard)} by the standard operators, {len(patched)} patches")
    for error in errors:
        print(f"error: {error}")
    tally = collections.Counter()
    score = collections.defaultdict(collections.Counter)
    left_out = collections.Counter()

    def note(mutant, outcome, by):
        name, shown = mutant[:2]
        if outcome == "left out":
            left_out[name.split()[0]] += 1
            return
        if name in reasons:
            if outcome not in ("survived", "listed"):
                errors.append(f"equivalent.txt lists {name}, but: {outcome} {by}")
                print(f"error: {errors[-1]}", flush=True)
            outcome = "listed"
        tally[outcome] += 1
        score[name.split()[0]][outcome] += 1
        if outcome == "survived" or asked.verbose:
            print(f"{outcome:9} {name}{f'  [{by}]' if by else ''}\n          {shown}", flush=True)
        if outcome == "does not build" and name.startswith(PATCHES):
            errors.append(f"{name} does not build: {by}")
            print(f"error: {errors[-1]}", flush=True)

    waiting = []
    for mutant in mutants:
        if mutant[0] in reasons and asked.short and not touched(mutant):
            note(mutant, "listed", "")
        else:
            waiting.append(mutant)
    # A change of the code may give the name of a listed one to another mutant, which is soon killed.
    steps = [programs.steps(mutant[2], mutant[3], asked.quick or mutant[0] in reasons, asked.short) for mutant in waiting]
    for mutant, (outcome, by) in judged(waiting, steps, began + SHORT_SECONDS if asked.short else float("inf")):
        note(mutant, outcome, by)
    columns = {"killed": "killed", "listed": "equivalent", "same code": "same code", "survived": "survived", "does not build": "do not build"}
    print("".join(f"{title:>14}" for title in columns.values()))
    for file, counted in sorted(score.items()):
        print("".join(f"{counted[outcome]:14}" for outcome in columns) + f"  {file}")
    seconds = time.monotonic() - began
    used = sum(os.times()[:4])
    killed, survived = tally["killed"], tally["survived"]
    print(f"{killed} killed, {survived} survived, {tally['listed']} equivalent as listed, {tally['same code']} compiled to the same "
          f"code, {tally['does not build']} do not build; {seconds:.0f} seconds, "
          f"{used:.0f} of the processor")
    if left_out:
        print(f"{sum(left_out.values())} of {len(mutants)} were left out, because the time was over: "
              + ", ".join(f"{count} of {file}" for file, count in sorted(left_out.items())))
    print(f"score: {100 * killed / max(1, killed + survived):.1f} %")
    print(f"{killed} passed, {survived + len(errors)} failed")
    return 0 if killed and not survived and not errors else 1


sys.exit(main())
