# SPDX-License-Identifier: MIT
"""Weighs examples/tiny for `make size`: all that its firmware takes of the chip that its chip.ld states."""

import re
import sys
from pathlib import Path

from features import bytes_of
from tools import output

# Name, and what the page calls the core.
programs = {"cortex-m0": "Cortex-M0", "rv32ec": "RV32EC"}
# The prefix of its objdump, where the program and its interrupt begin, and the bytes that the core itself stores then.
cores = {"cortex-m0": ("arm-none-eabi-", "Reset_Handler", "SysTick_Handler", 36),
         "rv32ec": ("riscv64-unknown-elf-", "board_begin", "board_trap", 0)}
rows = (("flash", "flash"), ("wheel", "RAM: the wheel"), ("timers", "RAM: 8 timers"), ("other", "RAM: other variables"),
        ("stack", "RAM: the stack"), ("ram", "RAM"), ("deepest", "needed of the stack, at most"))


def deepest(elf, prefix, begin, interrupt, stored):
    """The most bytes of stack: those of the program, and those of its interrupt on top. A function counts with all that it ever
    stores, a jump to another function as a call, and a call through a pointer as one of any callback."""
    own, calls = {}, {}
    for line in output(prefix + "objdump", "-d", elf).splitlines():
        if title := re.fullmatch(r"\w+ <(.*)>:", line):
            name = title[1]
            own[name], calls[name] = 0, set()
        elif pushed := re.search(r"\tpush\t\{(.*)\}", line):
            own[name] += 4 * len(pushed[1].split(","))
        elif taken := re.search(r"\t(?:sub\tsp, #|add\tsp,sp,-)(\d+)", line):
            own[name] += int(taken[1])
        # On RISC-V the functions of libgcc return by t0, too.
        elif re.search(r"\t(?:blx|bx|jalr|jr)\t(?!lr|t0)", line):
            calls[name].add("a callback")
        elif called := re.search(r"\t[^#]*<([^+>]*)>", line):
            calls[name].add(called[1])
    calls["a callback"], own["a callback"] = {one for one in own if one.endswith("4callEP10timer_list")}, 0

    def deep(name, callers=()):
        if name in callers:
            sys.exit(f"{elf}: {name} is recursive, so nothing bounds its stack")
        return own[name] + max((deep(one, (*callers, name)) for one in calls[name] & own.keys() - {name}), default=0)

    return deep(begin) + stored + deep(interrupt)


def weight(core, elf):
    """Row -> bytes of a program, and row -> bytes of the chip."""
    # Without the namespace: the value and the size of each symbol.
    symbols = {name: (int(value, 16), int(size or "0", 16)) for value, size, name in re.findall(
        r"^(\w{8})(?: (\w{8}))? \w (?:.*::)?(\w+)$", output("arm-none-eabi-nm", "-C", "-S", elf), re.M)}
    timers = re.findall(r"^tickwheel::\w+_timer (\w+)\{", Path("examples/tiny/main.cpp").read_text(), re.M)
    assert len(timers) == 8, timers
    flash, variables = bytes_of(elf)
    of = {"flash": flash, "wheel": symbols["tickwheel_clock"][1] + symbols["tickwheel_slots"][1],
          "timers": sum(symbols[name][1] for name in timers), "stack": symbols["board_stack_size"][0],
          "deepest": deepest(elf, *cores[core])}
    if of["deepest"] > of["stack"]:
        sys.exit(f"{elf}: {of['deepest']} bytes of stack, and examples/tiny/chip.ld states {of['stack']}")
    return of | {"other": variables - of["wheel"] - of["timers"], "ram": variables + of["stack"]}, {
        name: symbols[f"board_{name}_size"][0] for name in ("flash", "ram")}


def measure(directory):
    """The figures, and the rows of a table. In `directory` is a program for each core."""
    found = {core: weight(core, directory / f"tiny-{core}.elf") for core in programs}
    _, chip = found["rv32ec"]
    figures = {f"tiny.{core}.{name}": bytes for core, (of, _) in found.items() for name, bytes in of.items()}
    figures |= {f"tiny.chip.{name}": chip.get(name, "-") for name, _ in rows}
    return figures, [[label, *(of[name] for of, _ in found.values()), chip.get(name, "-")] for name, label in rows]
