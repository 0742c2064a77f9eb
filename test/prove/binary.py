# SPDX-License-Identifier: MIT
"""Proves that the compiled arm() chooses the slot that specification.py says, in every state of the clock that the invariants
of core/DESIGN.md allow, and that it lowers next_run exactly when it must. It does so in every legal geometry. In one
build each number of the instructions, less one or one more, must be refuted."""
import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from lift import Processor, State, term, thumb
from program import Program, Refused
from specification import Arm, geometries
from z3 import And, Not, SolverFor, sat, unknown

OUT = Path("build/prove")
PREFIX = os.environ.get("CROSS", "arm-none-eabi-")
FLAGS = "-mthumb -std=c++17 -ffreestanding -fno-exceptions -fno-unwind-tables -Icore -Iport/cortex_m".split()
COMPILERS = {"GCC": [f"{PREFIX}g++"], "clang": ["clang++-" + os.environ.get("LLVM", "19"), "--target=arm-none-eabi", "-nostdlibinc"]}
BUILDS = [(compiler, core, level) for compiler in COMPILERS for core in ("cortex-m3", "cortex-m0") for level in ("-O2", "-Os")]
# The clock is a local variable of the caller, so many bytes above its stack pointer.
CLOCK = 64
WORDS = ("jiffies", "next_run", "tv1_limit", "next_block")


def compiled(geometry, build):
    compiler, core, level = build
    object_file = OUT / f"slot-{'-'.join(build)}-{geometry.name}.o"
    flags = [*FLAGS, f"-DTVR_BITS={geometry.tvr_bits}", f"-DTVN_BITS={geometry.tvn_bits}",
             f"-mcpu={core}", level]
    subprocess.run([*COMPILERS[compiler], *flags, "-c", "test/prove/slot.cpp", "-o", object_file], check=True)
    return Program(object_file, PREFIX, thumb)


class Proof:
    """The state in which the function is called, and what must hold where it returns."""

    def __init__(self, geometry, program):
        self.program, self.arm = program, Arm(geometry)
        self.clock = {CLOCK + 4 * index: getattr(self.arm, name) for index, name in enumerate(WORDS)}

    def ends(self, changes=()):
        """The states in which the function returns, with these instructions instead of its own."""
        processor = Processor(self.program)
        processor.instructions = {**self.program.instructions, **{one.address: one for one in changes}}
        return processor.paths(State(self.program.functions["chosen_slot"], [("stack", CLOCK), self.arm.expires], self.clock))

    def refuted(self, end):
        """The claims that a path breaks, each with a state of the clock."""
        after = {at: term(end.stack.get(at)) for at in self.clock}
        claims = {"slot": term(end.registers[0]) == self.arm.slot, "next_run": after[CLOCK + 4] == self.arm.next_run_after,
                  "other words": And(*(after[at] == before for at, before in self.clock.items() if at != CLOCK + 4))}
        for name, claim in claims.items():
            solver = SolverFor("QF_BV")
            solver.add(self.arm.invariants, *end.conditions, Not(claim))
            answer = solver.check()
            if answer == unknown:
                sys.exit(f"the solver cannot tell: {solver.reason_unknown()}")
            if answer == sat:
                values = (solver.model().eval(getattr(self.arm, one), True).as_long() for one in ("expires", *WORDS))
                yield f"{name}: " + ", ".join(f"{one} {value:#x}" for one, value in zip(("expires", *WORDS), values))

    def refutes(self, changed):
        """Whether a path through a changed instruction breaks a claim, or cannot be followed."""
        try:
            return any(True for end in self.ends([changed]) if changed.address in end.executed for _ in self.refuted(end))
        except Refused:
            return True

    def mutants(self):
        """Each: the instruction that it changes, and that with a number less one, and with the number and one more."""
        for address, one in self.program.instructions.items():
            for number in re.finditer(r"#(\d+)", one.text):
                texts = [f"{one.text[:number.start(1)]}{int(number[1]) + by}{one.text[number.end(1):]}" for by in (-1, 1)]
                yield one.text.expandtabs(1), [thumb.Instruction(address, one.next - address, text) for text in texts]


def judge(task):
    """How many paths and mutants there are, and what is wrong."""
    geometry, build, with_mutants = task
    proof = Proof(geometry, compiled(geometry, build))
    ends = list(proof.ends())
    wrong = [one for end in ends for one in proof.refuted(end)] + ["no path"] * (ends == [])
    changed = list(proof.mutants()) if with_mutants else []
    # With one less it may be the same program: `x > 0 ? 1 : x` is `x > 1 ? 1 : x`.
    wrong += [f"two mutants are proved: {what}" for what, pair in changed if not any(map(proof.refutes, pair))]
    return len(ends), len(changed), [f"{geometry.name}, {' '.join(build)}: {one}" for one in wrong]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [(geometry, build, (geometry.name, build) == ("8,6", BUILDS[0])) for geometry in geometries() for build in BUILDS
              if geometry.name == "8,6" or build == BUILDS[0]]
    with ProcessPoolExecutor() as pool:
        judged = list(pool.map(judge, chosen))
    wrong = [line for *_, lines in judged for line in lines]
    print(*wrong, f"{len(judged)} compiled functions: {sum(one[0] for one in judged)} paths, "
          f"{sum(one[1] for one in judged)} mutants, {len(wrong)} wrong", sep="\n")
    return wrong != [] or not judged


if __name__ == "__main__":
    sys.exit(main())
