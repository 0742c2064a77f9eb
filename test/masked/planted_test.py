# SPDX-License-Identifier: MIT
"""The walk on small programs, each with the answer that it must give behind its name."""
import re
import subprocess
from pathlib import Path

import arm
import riscv
import thumb
from cycles import CORES
from program import Program
from proof import Proof
from worst import INSTRUCTIONS, Call

HERE = Path(__file__).parent / "planted"


def sections(program):
    """Function -> the length of its longest masked section, or why nothing is proved."""
    proof = Proof(program)
    proof.every_function()
    return {name: str(what) for name, what in {**proof.longest, **proof.refused}.items()}


def calls(program):
    """Function -> the length of the longest way through it, in each unit."""
    walks = {unit: Call(unit, program) for unit in (INSTRUCTIONS, *CORES)}
    return {name: ", ".join(f"{unit} {walk.of(name)[0]}" for unit, walk in walks.items()) for name in program.entries}


def expected_of(source, core):
    """Function -> the answer that stands behind its name, in this file and in those that it includes."""
    text = source.read_text()
    expected = {}
    for name in re.findall('^#include "(.*)"', text, re.M):
        expected |= expected_of(source.with_name(name), core)
    for function, answer, others in re.findall(r"^ +(?:program|function) (\w+) +// ([^;\n]*)(.*)$", text, re.M):
        other = re.search(rf"; {core} (.*)", others)
        expected[function] = other[1] if other else answer
    return expected


def run(out, prefix, riscv_prefix):
    """Returns how many gave another answer."""
    wrong = count = 0
    out.mkdir(parents=True, exist_ok=True)
    for core, answers, tools, machine, flags in (
            ("cortex-m3", sections, prefix, thumb, ["-mcpu=cortex-m3", "-mthumb"]),
            ("cortex-m0", calls, prefix, thumb, ["-mcpu=cortex-m0", "-mthumb"]),
            ("cortex-m55", sections, prefix, thumb, ["-mcpu=cortex-m55", "-mthumb"]),
            ("cortex-a9", sections, prefix, arm, ["-mcpu=cortex-a9", "-marm"]),
            ("rv32imac", sections, riscv_prefix, riscv, ["-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32"])):
        source, name = HERE / f"{core}.S", out / core
        subprocess.run([f"{tools}gcc", *flags, "-g", "-c", source, "-o", f"{name}.o"], check=True)
        emulation = ["-m", "elf32lriscv"] if machine is riscv else []
        subprocess.run([f"{tools}ld", *emulation, "-e", "0", "-Ttext=0x8000", "-q", f"{name}.o", "-o", f"{name}.elf"], check=True)
        expected = expected_of(source, core)
        found = answers(Program(f"{name}.elf", tools, machine))
        for function in sorted(expected.keys() | found.keys()):
            count += 1
            if found.get(function) != expected.get(function):
                print(f"{source.name}: {function}: expected {expected.get(function)}, found {found.get(function)}")
                wrong += 1
    print(f"planted: {count - wrong} of {count} right")
    return wrong
