# SPDX-License-Identifier: MIT
"""The walk on small programs, each with the answer that it must give beside it."""
import re
import subprocess
from pathlib import Path

from program import Program
from proof import Proof

HERE = Path(__file__).parent


def answer(source, out, prefix):
    name = out / source.stem
    subprocess.run([f"{prefix}gcc", "-mcpu=cortex-m3", "-mthumb", "-g", "-c", source, "-o", f"{name}.o"], check=True)
    subprocess.run([f"{prefix}ld", "-e", "0", "-Ttext=0x8000", f"{name}.o", "-o", f"{name}.elf"], check=True)
    proof = Proof(Program(f"{name}.elf", prefix))
    proof.function("planted")
    refused = proof.refused.get("planted")
    return str(refused) if refused else str(proof.longest["planted"])


def run(out, prefix):
    """Returns how many gave another answer."""
    out.mkdir(parents=True, exist_ok=True)
    wrong = 0
    sources = sorted((HERE / "planted").glob("*.S"))
    for source in sources:
        expected = re.search(r"^@ expect planted: (.*)$", source.read_text(), re.M)[1]
        found = answer(source, out, prefix)
        if found != expected:
            print(f"planted/{source.name}: expected '{expected}', found '{found}'")
            wrong += 1
    print(f"planted: {len(sources) - wrong} of {len(sources)} right")
    return wrong
