# SPDX-License-Identifier: MIT
"""Weighs examples/tiny for `make size`: all that its firmware takes of the chip that its chip.ld states."""

import re
from pathlib import Path

from features import bytes_of
from tools import output

programs = {"cortex-m0": "Cortex-M0", "rv32ec": "RV32EC"}
rows = (("flash", "flash"), ("wheel", "RAM: the wheel"), ("timers", "RAM: 8 timers"), ("other", "RAM: other variables"),
        ("stack", "RAM: the stack"), ("ram", "RAM"))


def weight(elf):
    """Row -> bytes of a program, and of the chip."""
    # The unmangled name of each symbol, its value and its size.
    symbols = {name: (int(value, 16), int(size or "0", 16)) for value, size, name in re.findall(
        r"^(\w{8})(?: (\w{8}))? \w (?:.*::)?(\w+)$", output("arm-none-eabi-nm", "-C", "-S", elf), re.M)}
    timers = re.findall(r"^tickwheel::\w+_timer (\w+)\{", Path("examples/tiny/main.cpp").read_text(), re.M)
    assert len(timers) == 8, timers
    flash, variables = bytes_of(elf)
    of = {"flash": flash, "wheel": symbols["tickwheel_clock"][1] + symbols["tickwheel_slots"][1],
          "timers": sum(symbols[name][1] for name in timers), "stack": symbols["board_stack_size"][0]}
    return of | {"other": variables - of["wheel"] - of["timers"], "ram": variables + of["stack"]}, {
        name: symbols[f"board_{name}_size"][0] for name in ("flash", "ram")}


def measure(directory):
    """The figures, and the rows of a table. In `directory` is a program for each core."""
    found = {core: weight(directory / f"tiny-{core}.elf") for core in programs}
    _, chip = found["rv32ec"]
    figures = {f"tiny.{core}.{name}": bytes for core, (of, _) in found.items() for name, bytes in of.items()}
    figures |= {f"tiny.chip.{name}": chip.get(name, "-") for name, _ in rows}
    return figures, [[label, *(of[name] for of, _ in found.values()), chip.get(name, "-")] for name, label in rows]
