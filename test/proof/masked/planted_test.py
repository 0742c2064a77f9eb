# SPDX-License-Identifier: MIT
"""The proof of small programs, each with the answer that it must give behind its name."""
import re
import subprocess
from pathlib import Path

import riscv
import thumb
from program import Program
from proof import Proof

SOURCE = Path(__file__).parent / "planted/programs.S"
ANSWER = re.compile(r"^ +(?:program|function) (\w+) +// ([^;\n]*)(?:; RISC-V: (.*))?$", re.M)


def answers(program):
    """Function -> the length of its longest masked section, or why nothing is proved, without the details."""
    proof = Proof(program)
    proof.every_function()
    return {name: str(what).partition(":")[0] for name, what in {**proof.longest, **proof.refused}.items()}


def run(out, prefix, riscv_prefix):
    """Returns how many gave another answer."""
    wrong = count = 0
    out.mkdir(parents=True, exist_ok=True)
    for machine, tools, flags, emulation in (
            (thumb, prefix, ["-mcpu=cortex-m3", "-mthumb"], []),
            (riscv, riscv_prefix, ["-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32"], ["-m", "elf32lriscv"])):
        name = out / machine.__name__
        subprocess.run([f"{tools}gcc", *flags, "-g", "-c", SOURCE, "-o", f"{name}.o"], check=True)
        subprocess.run([f"{tools}ld", *emulation, "-e", "0", "-Ttext=0x8000", "-q", f"{name}.o", "-o", f"{name}.elf"],
                       check=True)
        expected = {function: on_riscv if on_riscv and machine is riscv else answer
                    for function, answer, on_riscv in ANSWER.findall(SOURCE.read_text())}
        found = answers(Program(f"{name}.elf", tools, machine))
        for function in sorted(expected.keys() | found.keys()):
            count += 1
            if found.get(function) != expected.get(function):
                print(f"{machine.__name__}: {function}: expected {expected.get(function)}, found {found.get(function)}")
                wrong += 1
    print(f"planted: {count - wrong} of {count} right")
    return wrong
