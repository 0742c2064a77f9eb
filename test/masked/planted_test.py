# SPDX-License-Identifier: MIT
"""The walk on small programs, each with the answer that it must give beside it."""
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

HERE = Path(__file__).parent


def answers(source, out, prefix, machine, flags):
    """Function -> its length, or why nothing is proved."""
    name = out / source.stem
    subprocess.run([f"{prefix}gcc", *flags, "-g", "-c", source, "-o", f"{name}.o"], check=True)
    emulation = ["-m", "elf32lriscv"] if machine is riscv else []
    subprocess.run([f"{prefix}ld", *emulation, "-e", "0", "-Ttext=0x8000", "-q", f"{name}.o", "-o", f"{name}.elf"], check=True)
    program = Program(f"{name}.elf", prefix, machine)
    if source.parent.name == "call":
        return {"planted": ", ".join(f"{unit} {Call(unit, program).of('planted')[0]}" for unit in (INSTRUCTIONS, *CORES))}
    proof = Proof(program)
    proof.every_function()
    return {name: str(what) for name, what in {**proof.longest, **proof.refused}.items()}


def run(out, prefix, riscv_prefix):
    """Returns how many gave another answer."""
    wrong = count = 0
    for folder, *how in (("planted", prefix, thumb, ["-mcpu=cortex-m3", "-mthumb"]),
                         ("planted/call", prefix, thumb, ["-mcpu=cortex-m0", "-mthumb"]),
                         ("planted/armv8_1m", prefix, thumb, ["-mcpu=cortex-m55", "-mthumb"]),
                         ("planted/arm", prefix, arm, ["-mcpu=cortex-a9", "-marm"]),
                         ("planted/riscv", riscv_prefix, riscv, ["-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32"])):
        (out / folder).mkdir(parents=True, exist_ok=True)
        for source in sorted((HERE / folder).glob("*.S")):
            expected = dict(re.findall(r"^[@#] expect (\w+): (.*)$", source.read_text(), re.M))
            found = answers(source, out / folder, *how)
            count += 1
            if found != expected:
                print(f"{folder}/{source.name}: expected {expected}, found {found}")
                wrong += 1
    print(f"planted: {count - wrong} of {count} right")
    return wrong
