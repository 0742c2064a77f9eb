# SPDX-License-Identifier: MIT
"""Prints each requirement of docs/assurance.md that has no test or no mutant. A test shows a requirement if the line above it
is the comment "requirement: TW-01". The mutant is a patch of test/mutants/patches.txt, or "each in `f()`": all of a function."""
import functools
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append("test/mutants")
import operators  # noqa: E402


def files_with(pattern, *folders):
    return subprocess.run(["git", "grep", "-lE", pattern, "--", *folders], capture_output=True, text=True).stdout.splitlines()


def marked():
    """{id: the files whose tests name it}"""
    files = {}
    for path in map(Path, files_with("^(//|#) requirement: ", "test")):
        lines = path.read_text().splitlines()
        for mark, test in zip(lines, [*lines[1:], ""]):
            names = re.fullmatch(r"(?://|#) requirement: (.*)", mark)
            if names and path.suffix in (".cpp", ".inc") and not re.search(r"_CASE\(|^(?:int|void) \w+\(", test):
                print(f"{path}: no test below '{mark}'")
            for name in names[1].split(", ") if names else ():
                files.setdefault(name, []).append(path)
    return files


@functools.cache
def functions_with_mutants(file):
    return {mutant.function for mutant in operators.mutants_of(file)[0]}


def has_mutants(function):
    """A function of core, with its class: arming::place"""
    files = files_with(rf"\b{function.split('::')[-1]}\(", "core/*.h*")
    return any(function in functions_with_mutants(file) for file in files)


tests, patches = marked(), Path("test/mutants/patches.txt").read_text()
known = re.findall(r"^\| (TW-\d\d) \|.*\| (each in )?`(\w[\w:]*)(?:\(\))?` \|$", Path("docs/assurance.md").read_text(), re.M)
if len(known) < 10:
    sys.exit("requirements.py finds no requirements in docs/assurance.md")
for name, is_function, mutant in known:
    if name not in tests:
        print(f"{name} has no test")
    if not (has_mutants(mutant) if is_function else f"\n{mutant}: " in patches):
        print(f"{name}: there is no mutant {mutant}")
proved = {name for name, paths in tests.items() if any(path.parent.name == "prove" for path in paths)}
told = re.search(r"`make prove` proves (TW.*?)\nof a model", Path("docs/assurance.md").read_text())
said = set()
for first, last in re.findall(r"TW-(\d\d)(?: to TW-(\d\d))?", told[1] if told else ""):
    said |= {f"TW-{number:02}" for number in range(int(first), int(last or first) + 1)}
for name in proved ^ said:
    print(f"{name}: docs/assurance.md and test/prove differ in whether it is proved")
for name in tests.keys() - {name for name, _, _ in known}:
    print(f"{tests[name][0]}: there is no requirement {name}")
