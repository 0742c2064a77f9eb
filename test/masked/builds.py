# SPDX-License-Identifier: MIT
"""The builds that `make masked` proves: each core, compiler, level, lock and option of `make lib`."""
from dataclasses import dataclass

import arm
import riscv
import thumb

# Cores of a group have the same program, which `make masked` checks.
GROUPS = (("cortex-m0", "cortex-m0plus", "cortex-m1"), ("cortex-m3",), ("cortex-m4",), ("cortex-m7",), ("cortex-m23",),
          ("cortex-m33", "cortex-m35p"), ("cortex-m55",), ("rv32imac",), ("rv32imc",))
M0, M3 = GROUPS[:2]
R5, A9 = ([(core, isa) for isa in ("thumb", "arm")] for core in ("cortex-r5", "cortex-a9"))
CLANG = "clang++-14"


@dataclass(frozen=True)
class Build:
    cores: tuple
    compiler: str
    level: str
    # An argument of `make lib`.
    choice: str = ""
    # A Cortex-R or -A has two instruction sets.
    isa: str = ""

    @property
    def is_riscv(self):
        return self.cores[0].startswith("rv32")

    @property
    def has_systick(self):
        return self.cores[0].startswith("cortex-m")

    @property
    def machine(self):
        return riscv if self.is_riscv else arm if self.isa == "arm" else thumb

    @property
    def cells(self):
        """What the table has in the first columns."""
        cores = ", ".join(core.removeprefix("cortex-").replace("plus", "+").upper() for core in self.cores)
        return f"{cores} {self.isa}".strip(), self.compiler, self.level, self.choice and f"`{self.choice}`"

    @property
    def name(self):
        words = [self.cores[0] + self.level, self.isa, self.choice.lower().replace("=", "-").replace(":", "-"),
                 self.compiler.replace("GCC", "")]
        return "-".join(word for word in words if word)

    def arguments(self, core):
        """What make is given."""
        return [f"CPU={core}", f"OPT={self.level}", *([f"ISA={self.isa}"] if self.isa else []),
                *([self.choice] if self.choice else []), *([f"CXX={CLANG}"] if self.compiler == "clang" else [])]


def builds():
    every = [(cores, "") for cores in GROUPS] + [((core,), isa) for core, isa in R5 + A9]
    found = [Build(cores, compiler, level, "", isa)
             for cores, isa in every for compiler in ("GCC", "clang") for level in ("-Os", "-O2")]
    for cores in (M3, M0):
        found += [Build(cores, "GCC", level) for level in ("-Og", "-O1", "-O3")]
        found += [Build(cores, "GCC", level, choice) for choice in ("DEBUG=1", "TRACE=1") for level in ("-Os", "-O2")]
        found += [Build(cores, "GCC", "-Os", choice) for choice in ("GEOMETRY=6,4", "LOCK=none")]
    return found + [Build(M3, "GCC", level, "LOCK=basepri:64") for level in ("-Os", "-O2")]


def builds_of_gate(tenth):
    """A core of each instruction set, by GCC; and a tenth of the others, which differ from these in few places."""
    every = builds()
    always = [build for build in every if build.cores[0] in ("cortex-m0", "cortex-m3", "rv32imac", "cortex-a9") and
              build.compiler == "GCC" and build.level in ("-Os", "-O2") and not build.choice and build.isa != "thumb"]
    others = [build for build in every if build not in always]
    return always + others[tenth % 10::10]
