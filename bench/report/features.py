# SPDX-License-Identifier: MIT
"""Weighs each feature, and checks that a header alone costs nothing: `make size-features`.

features.py DIRECTORY; MAKE=.. in the environment. Links firmwares for a Cortex-M3 and a Cortex-M0 at -Os. One that uses nothing
must be the same to the byte, sections and symbols too, with each public header as without; and features.cpp is weighed
for each feature: figures in DIRECTORY/figures, for figures.py, and a table.
"""
import os
import subprocess
import sys
from pathlib import Path

cpus = {"cortex-m3": "M3", "cortex-m0": "M0"}
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore -Iport/cortex_m "
         "-Iport/cortex_m_systick -isystem test/check/vendor").split()
features = [
    ("plain", "the wheel and a plain timer"),
    ("member", "a member function as the callback"),
    ("lambda", "a lambda"),
    ("lambda_of_a_word", "a lambda that captures a word"),
    ("periodic_skip", "periodic, missed periods left out"),
    ("periodic_burst", "periodic, missed periods made up for"),
    ("periodic_delay", "periodic, from now on after missed periods"),
    ("long", "a tick of 64 bits"),
    ("scoped", "on the stack, cancelled with its scope"),
    ("linux", "Linux's names, in C or C++"),
    ("cancel", "cancel()"),
    ("pending_only", "move_to()"),
    ("no_later", "start_no_later_than()"),
    ("chrono_constant", "std::chrono, a constant"),
    ("chrono", "std::chrono, at run time"),
    ("msecs", "milliseconds, at run time"),
    ("jiffies_64", "the tick counter in 64 bits"),
    ("next_expiry", "the next expiry"),
    ("advance", "many ticks at once"),
    ("budget", "a run with a budget"),
    ("second_wheel", "a second wheel, small"),
    ("second_wheel_counted", "the same, counted"),
]
passed = failed = 0


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def expect(what, holds):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"not so: {what}")


class Cpu:
    """Builds everything of a firmware except its own source, once."""

    def __init__(self, directory, cpu):
        self.folder = directory / cpu
        self.folder.mkdir(parents=True, exist_ok=True)
        self.compile = ["arm-none-eabi-g++", f"-mcpu={cpu}", *flags]
        library = f"{self.folder}/lib"
        run("env", "MAKEFLAGS=", os.environ.get("MAKE", "make"), "lib", f"CPU={cpu}", "CXX=g++", "OPT=-Os", f"LIB={library}")
        self.rest = [f"{library}/libtickwheel.a"]
        for source in [*Path("boards/startup").glob("*.cpp"), Path("boards/mps2-an385/board.cpp")]:
            self.rest.append(str(self.folder / f"{source.stem}.o"))
            run(*self.compile, "-c", str(source), "-o", self.rest[-1])
        self.rest.sort(reverse=True)

    def firmware(self, name, source, *more):
        made = str(self.folder / name)
        run(*self.compile, *more, "-c", str(source), "-o", f"{made}.o")
        run("arm-none-eabi-g++", *self.compile[1:3], "-nostdlib", "-nostartfiles", "-Wl,--gc-sections", "-T",
            "linker/mps2-an385.ld", f"{made}.o", *self.rest, "-lgcc", "-o", f"{made}.elf")
        return f"{made}.elf"


def weight(elf):
    """Bytes of flash and of RAM."""
    sections = {line.split()[0]: int(line.split()[1]) for line in run("arm-none-eabi-size", "-A", elf).splitlines()
                if line.startswith(".")}
    code, data, bss = (sections.get(name, 0) for name in (".text", ".data", ".bss"))
    return code + sections.get(".ARM.exidx", 0) + data, data + bss


def map_of(elf):
    """The bytes, sections and symbols of a firmware."""
    run("arm-none-eabi-objcopy", "-O", "binary", elf, f"{elf}.bin")
    sections = [line.split()[:5] for line in run("arm-none-eabi-readelf", "-SW", elf).replace("[ ", "[").splitlines()
                if " A " in line or "AX" in line or "WA" in line]
    # These symbols only compare the options of headers and archive. They take no memory.
    symbols = [line for line in run("arm-none-eabi-nm", "-S", elf).splitlines() if "A tickwheel_built_for_" not in line]
    return Path(f"{elf}.bin").read_bytes(), sections, symbols


def headers_cost_nothing(cpu, make):
    empty = make.folder / "empty.cpp"
    empty.write_text('extern "C" void SysTick_Handler()\n{\n}\n\nint main()\n{\n    for (;;) {\n    }\n}\n')
    without = map_of(make.firmware("empty", empty))
    for header in run("git", "ls-files", "core/*.h", "core/*.hpp", "port/cortex_m/*.hpp", "port/cortex_m_systick/*.h").split():
        name = "/".join(header.split("/")[-2:])
        including = make.folder / f"with_{name.replace('/', '_')}.cpp"
        including.write_text(f"#include <{name}>\n{empty.read_text()}")
        expect(f"a firmware for {cpu} that includes {name} is the same without",
               map_of(make.firmware(including.stem, including)) == without)


def main(directory):
    weights = {}
    for cpu, core in cpus.items():
        make = Cpu(directory, cpu)
        headers_cost_nothing(cpu, make)
        for name in ["nothing", *(name for name, _ in features)]:
            weights[core, name] = weight(make.firmware(name, "bench/wheel/features.cpp", f"-DFEATURE_{name.upper()}"))
    print(f"{'bytes at -Os, over a plain timer':44}{'flash M3':>9}{'flash M0':>9}{'RAM':>6}")
    with open(directory / "figures", "w") as figures:
        for name, label in features:
            over = "nothing" if name == "plain" else "plain"
            flash = [weights[core, name][0] - weights[core, over][0] for core in cpus.values()]
            ram = [weights[core, name][1] - weights[core, over][1] for core in cpus.values()]
            expect(f"{name} takes the same RAM on every core", len(set(ram)) == 1)
            print(f"{label:44}{flash[0]:9}{flash[1]:9}{ram[0]:6}")
            figures.write(f"features.{name}.m3 {flash[0]}\nfeatures.{name}.m0 {flash[1]}\nfeatures.{name}.ram {ram[0]}\n")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
