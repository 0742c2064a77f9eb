# SPDX-License-Identifier: MIT
"""The builds that `make masked` proves: core, compiler, level, and an option of `make lib`."""
import os
from dataclasses import dataclass

import riscv
import thumb

# Cores of a group have the same program, which `make masked` checks.
GROUPS = (("cortex-m0", "cortex-m0plus", "cortex-m1"), ("cortex-m3",), ("cortex-m4",), ("cortex-m7",), ("cortex-m23",),
          ("cortex-m33", "cortex-m35p"), ("cortex-r5",), ("cortex-a9",), ("rv32imac",))
GROUP_OF = {cores[0]: cores for cores in GROUPS}
LEVELS = ("-Os", "-O2")
CLANG = "clang++-" + os.environ.get("LLVM", "19")


@dataclass(frozen=True)
class Build:
    cores: tuple
    compiler: str
    level: str
    # An argument of `make lib`.
    choice: str = ""

    @property
    def is_riscv(self):
        return self.cores[0].startswith("rv32")

    @property
    def is_one_shot(self):
        return self.choice.startswith("COUNTER")

    @property
    def has_systick(self):
        return self.cores[0].startswith("cortex-m") and not self.is_one_shot

    @property
    def machine(self):
        return riscv if self.is_riscv else thumb

    @property
    def cells(self):
        """How a line of the file `proved` begins."""
        cores = ",".join(core.removeprefix("cortex-").replace("plus", "+").upper() for core in self.cores)
        return cores, self.compiler, self.level, self.choice or "-"

    @property
    def name(self):
        words = [self.cores[0] + self.level, self.choice.lower().replace("=", "-").replace(":", "-"),
                 self.compiler.replace("GCC", "")]
        return "-".join(word for word in words if word)

    def arguments(self, core):
        """What make is given."""
        return [f"CPU={core}", f"OPT={self.level}", *([self.choice] if self.choice else []),
                *(["HZ=1000000"] if self.is_one_shot else []),
                *([f"CXX={CLANG}"] if self.compiler == "clang" else [])]


def builds():
    found = [Build(cores, "GCC", level) for cores in GROUPS for level in LEVELS]
    found += [Build(GROUP_OF[core], "clang", "-Os") for core in ("cortex-m0", "cortex-m3", "rv32imac")]
    found += [Build(GROUP_OF[core], "GCC", "-Os", choice) for core in ("cortex-m0", "cortex-m3")
              for choice in ("DEBUG=1", "GEOMETRY=64", "GEOMETRY=62", "GEOMETRY=1", "COUNTER=pico")]
    return found + [Build(GROUP_OF["cortex-m3"], "GCC", "-Os", "LOCK=basepri:64")]


def builds_of_gate(tenth):
    """A core of each instruction set, by GCC; the lock with which a core may sleep for ever; a list; and a tenth of the others,
    which differ from these in few places."""
    every = builds()
    always = [build for build in every if build.cores[0] in ("cortex-m0", "cortex-m3", "rv32imac") and
              build.compiler == "GCC" and not build.choice or build.choice.startswith("LOCK")
              or build.choice == "GEOMETRY=1" and build.cores[0] == "cortex-m3"]
    others = [build for build in every if build not in always]
    return always + others[tenth % 10::10]
