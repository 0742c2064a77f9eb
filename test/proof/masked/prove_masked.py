#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves how long the library masks interrupts, in each build, and writes the file `proved` and the table of docs/figures.md.

    prove_masked.py --check TENTH       proves the builds of the gate, and fails if file or page has other figures
    prove_masked.py BUILD ..            the same for builds of such a name, in which * stands for anything
    prove_masked.py --worst [--check]   the worst case of each call
"""
# requirement: TW-30
import os
import shlex
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.append(str(HERE.parents[2] / "bench/report"))
import compilers
import page
import planted_test
import worst
from builds import CLANG, builds, builds_of_gate
from program import Program
from proof import Proof

OUT = Path("build/masked")
PREFIX = os.environ.get("CROSS", "arm-none-eabi-")
RISCV_PREFIX = "riscv64-unknown-elf-"
MAKE = os.environ.get("MAKE", "make")


def prefix_of(build):
    return RISCV_PREFIX if build.is_riscv else PREFIX


def link(build, core):
    """The linked program, and what `nm` can read of each of its parts."""
    folder = OUT / (build.name if core == build.cores[0] else f"{build.name}.{core}")
    env = {**os.environ, "MAKEFLAGS": "", "MAKELEVEL": ""}
    if build.is_riscv:
        # `make masked` names the compiler for Arm by it.
        env.pop("CROSS", None)
    subprocess.run([MAKE, "--no-print-directory", "-s", "lib", f"LIB={folder}", *build.arguments(core)], check=True,
                   stdout=subprocess.DEVNULL, env=env)
    flags = shlex.split((folder / "flags.txt").read_text().splitlines()[0])
    elf = folder / "all.elf"
    parts = {"wheel": folder / "libtickwheel.a"}
    if not build.is_one_shot:
        ports = ["-Iport/riscv_clint"] if build.is_riscv else []
        subprocess.run([*flags, *ports, "-c", HERE / "drivers.cpp", "-o", folder / "drivers.o"], check=True)
        parts = {"counter": folder / "drivers.o", **parts}
    if build.has_systick:
        parts["systick"] = folder / "libtickwheel_systick.a"
    # On RISC-V a linker script may set gp near the RAM, which shortens each access to a variable by an instruction. Here
    # it is out of reach, and so is the RAM from the code.
    where = ["-m", "elf32lriscv", "-Ttext=0x80000000", "-Tdata=0x80400000", "--defsym=__global_pointer$=0x90000000"] \
        if build.is_riscv else ["-Ttext=0x8000"]
    subprocess.run([prefix_of(build) + "ld", *where, "-e", "0", "-q", "--allow-multiple-definition", "--whole-archive",
                    *parts.values(), "-o", elf], check=True)
    return elf, parts


def program_of(build):
    """The program, and the part of each function. The other cores of the row must have the same program."""
    elf, parts = link(build, build.cores[0])
    programs = [elf, *(link(build, core)[0] for core in build.cores[1:])]
    # Without the line of the file's name.
    code = {subprocess.run([prefix_of(build) + "objdump", "-d", one], check=True, capture_output=True).stdout.split(b"\n", 2)[2]
            for one in programs}
    if len(code) != 1:
        sys.exit(f"test/proof/masked/builds.py: {', '.join(build.cores)} have not the same program at {build.level}")
    part_of = {"tickwheel_next_event": "search", "SysTick_Handler": "systick_tick", "counter_interrupt": "counter_tick"}
    if build.is_one_shot:
        part_of |= {"tickwheel_interrupt": "counter_tick", "tickwheel_interrupt_budget": "counter_tick"}
    for part, archive in parts.items():
        for function in defined(archive):
            part_of.setdefault(function, part)
    return Program(str(elf), prefix_of(build), build.machine), part_of


def linked(build):
    """For worst.py: the program, the part of each function, and the loops."""
    program, parts = program_of(build)
    return program, parts, loops_in(program, named_loops())[:3]


def defined(path):
    lines = subprocess.run([PREFIX + "nm", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return [words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "TtW"]


# --- Loops that end by what a constant does not show

def named_loops():
    """The file `loops`: how often at most or None for a spin, file, text of the line, and the line where the count
    begins or None."""
    found = []
    for line in (HERE / "loops").read_text().splitlines():
        if line.startswith(("spin", "limit")):
            many, file, text = line.split(None, 2)
            found.append([None if many == "spin" else int(many.partition("=")[2]), file, text, None])
        elif line.strip().startswith("from"):
            found[-1][3] = line.split(None, 1)[1]
    return found


def lines_with(file, text):
    """The lines of a source that are this text, but for the space around it."""
    found = [n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if line.strip() == text]
    if not found:
        sys.exit(f"test/proof/masked/loops: {file} has no line '{text}'")
    return found


def addresses_of(frames, file, text):
    """The instructions of a line, by the call that they are inlined into: those of the line itself, or where there are
    none, those of the calls that are inlined there."""
    lines = lines_with(file, text)
    copies = {}
    for address, places in frames.items():
        for depth, (function, place, line) in enumerate(places):
            if line in lines and os.path.normpath(place).endswith(file):
                copies.setdefault((function, *places[depth + 1:]), {}).setdefault(depth == 0, set()).add(address)
    return copies.values()


def loops_in(program, named):
    """The addresses of these lines: spins, limits, where the counts of which addresses begin, which loop each is of."""
    frames = program.frames()
    spins, limits, begins, owner = [], {}, {}, {}
    for index, (limit, file, text, start) in enumerate(named):
        starts = set()
        for found in addresses_of(frames, file, start) if start else ():
            starts.update(*found.values())
        for found in addresses_of(frames, file, text):
            if limit is None:
                spins.append(frozenset().union(*found.values()))
                owner[spins[-1]] = index
                continue
            here = found[True in found]
            # The first instruction of each piece is enough, and keeps the states few.
            inside = {program.instructions[address].next for address in here} - program.targets
            counted = here - inside
            limits.update(dict.fromkeys(counted, limit))
            owner.update(dict.fromkeys(counted, index))
            for address in starts:
                begins.setdefault(address, set()).update(counted)
    return spins, limits, begins, owner


# --- What is printed

def title(name):
    return subprocess.run([PREFIX + "c++filt", "-p", name], check=True, capture_output=True, text=True).stdout.strip()


def write_report(path, program, proof):
    """Each function, then the instructions of its longest section with their source lines."""
    with open(path, "w") as out:
        for name in sorted(proof.longest):
            print(f"{proof.longest[name]:6} instructions, {proof.deepest[name]:4} bytes of stack  {title(name)}", file=out)
        for name in sorted(proof.longest, key=proof.longest.get, reverse=True):
            if proof.paths[name]:
                print(f"\n{title(name)}: {proof.longest[name]}", *map(program.shown, proof.paths[name]), sep="\n", file=out)


def prove(build, named):
    """The lines to print, the figures, the indexes of the loops that it has and of those that it needs, the indirect
    calls, and whether all is proved."""
    program, parts = program_of(build)
    *loops, owner = loops_in(program, named)
    proof = Proof(program, *loops)
    proof.every_function()
    used = {owner[one] for one in proof.walk.used}
    calls = {program.places(address)[0] for address in proof.walk.processor.indirect}
    write_report(OUT / build.name / "report.txt", program, proof)
    longest = proof.longest_of(parts)
    figures = {part: str(longest[part][0]) if part in longest else "-" for part in page.parts}
    figures["stack"] = str(max(proof.deepest.values(), default=0))
    cells = [f"{part} {length} ({title(function).partition('(')[0].replace('tickwheel_', '')})"
             for part, (length, function) in sorted(longest.items())]
    lines = [f"{build.name}: {', '.join(cells)}; stack {figures['stack']}"]
    for function, refused in proof.refused.items():
        lines.append(f"  {title(function)}: nothing is proved: {refused}: {program.shown(getattr(refused, 'at', None))}")
    return lines, figures, set(owner.values()), used, calls, not proof.refused


def compiler_of(build):
    return compilers.compiler_of(CLANG if build.compiler == "clang" else prefix_of(build) + "g++")


def differing(found):
    """Compares the figures with the file, and the file with the page. Returns how many lines differ."""
    rows = page.read_masked()
    named = page.compilers("masked")
    other = compilers.others(page.PATH, named, map(compiler_of, found))
    wrong = [build for build, figures in found.items() if compiler_of(build) not in other and rows.get(build.cells) != figures]
    for build in wrong:
        print(f"{build.name}: {page.PROVED} has {rows.get(build.cells)}, not {found[build]}: run make masked")
    if not page.read("masked").endswith(page.table_of_masked(rows)):
        print(f"{page.PATH} has other figures than {page.PROVED}: run make masked")
        wrong.append(page.PATH)
    return len(wrong)


def main(words):
    option = words[0] if words and words[0].startswith("-") else ""
    if option == "--check" and words[1:] not in [[str(tenth)] for tenth in range(1, 11)]:
        sys.exit("prove_masked.py --check TENTH: 1 to 10")
    failed = 0 if option == "--worst" or words and not option else planted_test.run(OUT / "planted", PREFIX, RISCV_PREFIX)
    if option == "--worst":
        return worst.main(words[1:] == ["--check"], linked, compiler_of)
    chosen = builds_of_gate(int(words[1])) if option == "--check" else [
        build for build in builds() if not words or any(fnmatch(build.name, word) for word in words)]
    named, has, used, calls, found = named_loops(), set(), set(), set(), {}
    with ProcessPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        for build, result in zip(chosen, pool.map(prove, chosen, [named] * len(chosen))):
            lines, found[build], its_loops, its_used, its_calls, proved = result
            print(*lines, sep="\n", flush=True)
            has |= its_loops
            used |= its_used
            calls |= its_calls
            failed += not proved
    print("indirect calls:", ", ".join(sorted(calls)))
    # The callback of a timer, in a wheel and in a list, and the function of an inactivity timer of C.
    failed += len(calls) != 3
    for index in set(range(len(named))) - has if option or not words else ():
        print(f"test/proof/masked/loops: no build has an instruction of '{named[index][2]}'")
        failed += 1
    if words:
        return failed + differing(found)
    for index in set(range(len(named))) - used:
        print(f"test/proof/masked/loops: no path needs '{named[index][2]}'")
        failed += 1
    named = page.compilers("masked")
    if not failed and not compilers.others(page.PATH, named, map(compiler_of, found)):
        page.write_masked(named, {build.cells: figures for build, figures in found.items()})
    return failed


if __name__ == "__main__":
    os.chdir(HERE.parents[2])
    sys.exit(1 if main(sys.argv[1:]) else 0)
