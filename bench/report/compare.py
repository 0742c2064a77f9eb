#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what this tree does to bytes and instructions, compared with a commit. Limits decide elsewhere.

compare.py COMMIT. If COMMIT is empty, it is where the branch left origin/main, or the parent of a commit that is on origin/main.
Both are built only if the folders that are measured differ.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from counts import print_table
from limits import read_figures

MEASURED = ("core", "port", "bench")
FILES = ("figures", "size/figures", "size/details")
OTHERS = Path("build/compare")


def git(*arguments):
    """What git prints, or nothing if it fails."""
    return subprocess.run(["git", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()


def other_commit(asked):
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "origin/main")
    return git("rev-parse", "--verify", f"{asked}^{{commit}}") if asked else base if base not in ("", head) else git(
        "rev-parse", "--verify", "HEAD^")


def measured(folder):
    """The figures of a tree, or none if it does not build."""
    # This make gets none of the jobs and options of the one that calls the script.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    built = subprocess.run(["make", f"-j{os.environ.get('JOBS', '1')}", "bench-table", "size-table"], cwd=folder, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return read_figures(*(folder / "build/bench" / name for name in FILES)) if built.returncode == 0 else {}


def unpacked(commit):
    """The tree of a commit. It is kept, as make has built it, until another commit is asked for."""
    folder = OTHERS / commit
    if not folder.exists():
        shutil.rmtree(OTHERS, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], check=True, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", folder], check=True, input=archive.stdout)
    return folder


def percent(before, after):
    return f"{(after - before) * 100 / before:+.1f}" if before else ""


def main(asked):
    commit = other_commit(asked)
    if asked and not commit:
        sys.exit(f"WITH={asked}: no such commit")
    if not commit:
        print("nothing to compare with: this clone has no commit before HEAD")
        return
    name = git("log", "-1", "--format=%h (%s)", commit)
    if not git("diff", "--stat", commit, "--", *MEASURED):
        print(f"{', '.join(MEASURED)} are those of {name}: no figure changes")
        return
    before, after = measured(unpacked(commit)), measured(Path())
    if not before or not after:
        print(f"nothing to compare: {name if after else 'this tree'} does not build")
        return
    rows = [(figure, before[figure], value, percent(float(before[figure]), float(value))) for figure, value in after.items()
            if figure in before and (figure.startswith("linked.") or before[figure] != value)]
    print_table(f"compared with {name}", ("", "before", "after", "%"), *rows)
    print(f"{sum(b != a for _, b, a, _ in rows)} of {len(after.keys() & before.keys())} figures differ")


if __name__ == "__main__":
    main(sys.argv[1])
