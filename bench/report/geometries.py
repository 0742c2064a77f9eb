# SPDX-License-Identifier: MIT
"""Weighs the two programs of README in each geometry for `make size`: all that they link, but no start-up code, no stack, and
nothing of the parts that are yours.
"""

import re
from pathlib import Path

from features import bytes_of, flags
from tools import output

# Behind the names of sections that are not counted.
yours = """
#include <vendor.h>
#define YOURS(name) __attribute__((section(".yours" name)))
YOURS("_data") uint32_t SystemCoreClock = 48000000;
YOURS("") uint32_t SysTick_Config(uint32_t counts) { return counts == 0; }
YOURS("") void lamp_toggle(void) {}
YOURS("") void lamp_toggle_of_cpp(void) __asm__("_Z11lamp_togglev");
YOURS("") void lamp_toggle_of_cpp(void) {}
"""
cpu = ("-mcpu=cortex-m0", "-mthumb")


def program(language):
    """The block of README with a main(), in C or C++."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", Path("README.md").read_text(), re.M | re.S)
    return next(block for block in blocks if "int main(" in block)


def compiled(path, text, compiler, *more):
    path.write_text(text)
    made = path.with_suffix(".o")
    output(f"arm-none-eabi-{compiler}", *cpu, "-Os", *more, "-c", str(path), "-o", str(made))
    return str(made)


def measure(directory, geometries):
    """The figures, and the rows of a table. In `directory` is a folder for each geometry, with the library and the driver."""
    flags_of_c = ["-std=c11", *(flag for flag in flags if not re.match("-std|-fno-(exceptions|rtti|threadsafe)", flag))]
    stub = compiled(directory / "yours.c", yours, "gcc", *flags_of_c)
    # Where the program is, its compiler and flags, and what it links.
    programs = (("c", "gcc", flags_of_c, "-u,SysTick_Handler", ["tickwheel.o"]),
                ("cpp", "g++", flags, "-u,SysTick_Handler,-u,PendSV_Handler", ["tickwheel.o", "tickwheel_systick.o"]))
    figures, rows = {}, []
    for geometry in geometries:
        folder = directory / f"geometry-{geometry}"
        choice = f"-DTICKWHEEL_GEOMETRY={geometry.replace('-', '')}"
        rows.append([geometry.replace("-", ",")])
        for language, compiler, options, handlers, objects in programs:
            main = compiled(folder / f"main.{language}", program(language), compiler, *options, choice)
            elf = folder / f"{language}.elf"
            output("arm-none-eabi-g++", *cpu, "-nostdlib", f"-Wl,--gc-sections,-e,main,{handlers}", main, stub,
                   *(str(folder / name) for name in objects), "-lgcc", "-o", str(elf))
            flash, ram = bytes_of(elf)
            figures |= {f"geometry.{geometry}.{language}.flash": flash, f"geometry.{geometry}.{language}.ram": ram}
            rows[-1] += [flash, ram]
    return figures, rows
