# SPDX-License-Identifier: MIT
"""Prints each requirement of docs/assurance.md that has another number of tests than its row says, or no mutant. A test shows a
requirement if the line above it is the comment "requirement: TW-01", and it checks something. The mutant is a patch of
test/check/mutants/patches.txt, or `f()`: all of a function."""
import functools
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append("test/check/mutants")
import operators  # noqa: E402


def files_with(pattern, *folders):
    return subprocess.run(["git", "grep", "-lE", pattern, "--", *folders], capture_output=True, text=True).stdout.splitlines()


def checks(lines, start):
    """Whether the test case that begins at this line checks something itself, or by a function or class of its file."""
    body = "\n".join(lines[start + 1:lines.index("}", start)])
    of_file = re.findall(r"^(?:void|bool|class|struct) (\w+)", "\n".join(lines), re.M)
    return re.search(r"\b(?:CHECK|CHECK_EQ|REQUIRE|" + "|".join(of_file) + r")\b", body)


def marked():
    """{id: the files of its tests}"""
    files = {}
    for path in map(Path, files_with("^(//|#) requirement: ", "test")):
        lines = path.read_text().splitlines()
        for i, (mark, test) in enumerate(zip(lines, [*lines[1:], ""]), 1):
            names = re.fullmatch(r"(?://|#) requirement: (.*)", mark)
            if names and path.suffix in (".cpp", ".inc") and not re.search(r"_CASE\(|^(?:int|void) \w+\(", test):
                print(f"{path}: no test below '{mark}'")
            elif names and "_CASE(" in test and not checks(lines, i):
                print(f"{path}:{i}: the test below '{mark}' checks nothing")
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


tests, patches = marked(), Path("test/check/mutants/patches.txt").read_text()
known = re.findall(r"^\| (TW-\d\d) \|.*\| (\d+) \| `(\w[\w:]*)(\(\))?` \|$", Path("docs/assurance.md").read_text(), re.M)
if len(known) < 10:
    sys.exit("requirements.py finds no requirements in docs/assurance.md")
for name, count, mutant, is_function in known:
    if not 0 < len(tests.get(name, ())) == int(count):
        print(f"{name}: its row says that {count} tests show it, and there are {len(tests.get(name, ()))}")
    if not (has_mutants(mutant) if is_function else f"\n{mutant}: " in patches):
        print(f"{name}: there is no mutant {mutant}")
proved = {name for name, paths in tests.items() if any(path.parent == Path("test/proof/wheel") for path in paths)}
told = re.search(r"`make prove` proves (TW.*?)\nof a model", Path("docs/assurance.md").read_text())
said = set()
for first, last in re.findall(r"TW-(\d\d)(?: to TW-(\d\d))?", told[1] if told else ""):
    said |= {f"TW-{number:02}" for number in range(int(first), int(last or first) + 1)}
for name in proved ^ said:
    print(f"{name}: docs/assurance.md and test/proof/wheel differ in whether it is proved")
for name in tests.keys() - {name for name, *_ in known}:
    print(f"{tests[name][0]}: there is no requirement {name}")
