#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of `make size` out of objects, and the figures that limits.py and figures.py read.

size.py DIRECTORY "CPU .." "O .." "GEOMETRY .."; the directory holds the folders CPU-O. In each are tickwheel.o, and linked.elf:
what a program links that calls mod_timer, timer_delete, tick and run.
"""

import re
import sys
from pathlib import Path

from counts import output, print_table, write_figures
from few import bytes_of

# These compile the programs whose bytes are measured.
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore "
         "-Iport/cortex_m -Iport/cortex_m_systick -isystem test/check/vendor").split()
cores = {"m3": "cortex-m3", "m0": "cortex-m0"}
# The bytes of each feature: those of a program that uses it, over those of one with a plain timer. All programs include all
# headers, since a header costs nothing, and the figure of the plain timer would grow. The callback counts its calls.
feature_program = """
#include <linux/timer.h>
#include <tickwheel/chrono.hpp>
#include <tickwheel/hooks.hpp>
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>
using namespace std::chrono_literals;
volatile unsigned calls = 1;
volatile unsigned number = 1;
[[maybe_unused]] static void count(timer_list *) { calls = calls + 1; }
struct count_one { void operator()() const { calls = calls + 1; } };
%(timer)s
extern "C" void use() { calls = number; %(use)s; }
extern "C" void SysTick_Handler() { (void)tickwheel_interrupt(); }
"""
plain = "tickwheel::timer timer{count};"
member = """struct counter {
    void count() { calls = calls + 1; }
    tickwheel::closure_timer<tickwheel::member<&counter::count>> timer{this};
};
counter object{};"""
periodic = "tickwheel::periodic_timer<count_one> timer{count_one{}};"
burst = "tickwheel::periodic_timer<count_one, tickwheel::missed_periods::burst> timer{count_one{}};"
with_slack = "tickwheel::periodic_timer timer{count_one{}, tickwheel::slack{5}};"
scoped = """tickwheel::scoped_timer timer{[] { calls = calls + 1; }};
    (void)timer.start_after_ticks(10);
    while (calls != 0) {}"""
second = plain + """
tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_small_geometry> second;
tickwheel::basic_timer<second> other{count};"""
start = "(void)timer.start_after_ticks(10)"
start_periodic = "timer.start_after_ticks(10, 10)"

# Its name, what the page calls it, what the program does, and the timer where it is no plain one.
features = (
    ("plain", "the wheel and a plain timer", start),
    ("member", "a member function as the callback", "(void)object.timer.start_after_ticks(10)", member),
    ("lambda", "a lambda", start, "tickwheel::closure_timer timer{[] { calls = calls + 1; }};"),
    ("periodic_skip", "periodic, missed periods left out", start_periodic, periodic),
    ("periodic_burst", "periodic, missed periods made up for", start_periodic, burst),
    ("periodic_slack", "periodic, with a slack", start_periodic, with_slack),
    ("inactivity", "a time-out that is restarted cheaply", "timer.restart_after_ticks(10)",
     "tickwheel::inactivity_timer timer{[] { calls = calls + 1; }};"),
    ("long", "a tick of 64 bits", "(void)timer.start_after_ticks(uint64_t{1} << 40)",
     "tickwheel::long_timer timer{[] { calls = calls + 1; }};"),
    ("scoped", "on the stack, cancelled with its scope", scoped, ""),
    ("linux", "Linux's names, in C or C++", "mod_timer(&timer, jiffies + 10)", "DEFINE_TIMER(timer, count);"),
    ("cancel", "cancel()", f"{start}; (void)timer.cancel()"),
    ("move_to", "move_to()", f"{start}; (void)timer.move_to(number)"),
    ("within", "start_within()", f"{start}; (void)timer.start_within(number, number)"),
    ("chrono_constant", "std::chrono, a constant", "(void)timer.start_after_ticks(tickwheel::ticks(10ms))"),
    ("msecs", "milliseconds, at run time", "(void)timer.start_after_ticks(tickwheel_msecs_to_jiffies(number))"),
    ("jiffies_64", "the tick counter in 64 bits",
     f"{start}; calls = static_cast<unsigned>(tickwheel_get_jiffies_64() >> 32)"),
    ("next_expiry", "the next expiry",
     f"{start}; jiffies_t next = 0; (void)tickwheel_next_expiry(&next); calls = next"),
    # By a library of its own.
    ("one_shot", "one-shot mode in place of a tick", f"tickwheel_start(); {start}"),
    ("second_wheel", "a second wheel, small",
     f"{start}; (void)other.start_after_ticks(10); (void)second.interrupt()", second),
)


def weight_of_feature(made, library, cpu, choices, use, timer=plain):
    """Bytes of flash and of RAM of what a program links. `made` has its source, and `library` is the wheel's object."""
    made.with_suffix(".cpp").write_text(feature_program % {"use": use, "timer": timer})
    # GCC 13 and 14 refuse <chrono> with it.
    hosted = [flag for flag in flags if flag != "-ffreestanding"]
    output("arm-none-eabi-g++", f"-mcpu={cpu}", *hosted, *choices, "-c", f"{made}.cpp", "-o", f"{made}.o")
    output("arm-none-eabi-g++", f"-mcpu={cpu}", "-mthumb", "-nostdlib", "-Wl,--gc-sections,-e,use,-u,SysTick_Handler",
           f"{made}.o", str(library), "-lgcc", "-o", f"{made}.elf")
    return bytes_of(f"{made}.elf")


def figures_of_features(directory, library_of):
    """The figures, and the rows of a table. `library_of` gives the wheel's object for a CPU, and a feature's choices."""
    directory.mkdir(exist_ok=True)
    figures, rows, base = {}, [], {core: (0, 0) for core in cores}
    for name, label, *text in features:
        choices = ["-DTICKWHEEL_ONE_SHOT=1", "-DTICKWHEEL_HZ=1000000"] if name == "one_shot" else []
        found = {core: weight_of_feature(directory / f"{name}-{cpu}", library_of(cpu, choices), cpu, choices, *text)
                 for core, cpu in cores.items()}
        flash = {core: found[core][0] - base[core][0] for core in cores}
        ram = found["m3"][1] - base["m3"][1]
        rows.append([label, *flash.values(), ram])
        figures.update({f"features.{name}.{core}": bytes for core, bytes in flash.items()} | {f"features.{name}.ram": ram})
        if name == "plain":
            base = found
    return figures, rows


# The two programs of README in each geometry: all that they link, but no start-up code, no stack, and nothing of the parts that
# are yours. These are behind the names of sections that are not counted.
yours = """
#include <vendor.h>
#define YOURS(name) __attribute__((section(".yours" name)))
YOURS("_data") uint32_t SystemCoreClock = 48000000;
YOURS("") uint32_t SysTick_Config(uint32_t counts) { return counts == 0; }
YOURS("") void lamp_toggle(void) {}
YOURS("") void lamp_toggle_of_cpp(void) __asm__("_Z11lamp_togglev");
YOURS("") void lamp_toggle_of_cpp(void) {}
"""
m0 = ("-mcpu=cortex-m0", "-mthumb")


def program_of_readme(language):
    """The block of README with a main(), in C or C++."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", Path("README.md").read_text(), re.M | re.S)
    return next(block for block in blocks if "int main(" in block)


def compiled(path, text, compiler, *more):
    path.write_text(text)
    made = path.with_suffix(".o")
    output(f"arm-none-eabi-{compiler}", *m0, "-Os", *more, "-c", str(path), "-o", str(made))
    return str(made)


def figures_of_programs(directory, geometries):
    """The figures, and the rows of a table. In `directory` is a folder for each geometry, with the library and the driver."""
    flags_of_c = ["-std=c11", *(flag for flag in flags if not re.match("-std|-fno-(exceptions|rtti|threadsafe)", flag))]
    stub = compiled(directory / "yours.c", yours, "gcc", *flags_of_c)
    # Where the program is, its compiler and flags, and what it links.
    programs = (("c", "gcc", flags_of_c, "-u,SysTick_Handler", ["tickwheel.o"]),
                ("cpp", "g++", flags, "-u,SysTick_Handler,-u,PendSV_Handler", ["tickwheel.o", "tickwheel_systick.o"]))
    figures, rows = {}, []
    for geometry in geometries:
        folder = directory / f"geometry-{geometry}"
        choice = f"-DTICKWHEEL_GEOMETRY={geometry}"
        rows.append([geometry])
        for language, compiler, options, handlers, objects in programs:
            main = compiled(folder / f"main.{language}", program_of_readme(language), compiler, *options, choice)
            elf = folder / f"{language}.elf"
            output("arm-none-eabi-g++", *m0, "-nostdlib", f"-Wl,--gc-sections,-e,main,{handlers}", main, stub,
                   *(str(folder / name) for name in objects), "-lgcc", "-o", str(elf))
            flash, ram = bytes_of(elf)
            figures |= {f"geometry.{geometry}.{language}.flash": flash, f"geometry.{geometry}.{language}.ram": ram}
            rows[-1] += [flash, ram]
    return figures, rows


# All that examples/tiny takes of the chip that its chip.ld states. Name, and what the page calls the core.
tiny_programs = {"cortex-m0": "Cortex-M0", "rv32ec": "RV32EC"}
# The prefix of its objdump, where the program and its interrupt begin, and the bytes that the core itself stores then.
tiny_cores = {"cortex-m0": ("arm-none-eabi-", "Reset_Handler", "SysTick_Handler", 36),
              "rv32ec": ("riscv64-unknown-elf-", "board_begin", "board_trap", 0)}
tiny_rows = (("flash", "flash"), ("wheel", "RAM: the list"), ("timers", "RAM: 8 timers"), ("other", "RAM: other variables"),
             ("stack", "RAM: the stack"), ("ram", "RAM"), ("deepest", "needed of the stack, at most"))


def deepest(elf, prefix, entry, interrupt, stored):
    """The stack in bytes, at most: that of the program, with that of its interrupt on top. A function counts with all that it
    ever stores, a jump to another function as a call, and a call through a pointer as one of any callback."""
    own, calls = {}, {}
    for line in output(prefix + "objdump", "-d", elf).splitlines():
        if title := re.fullmatch(r"\w+ <(.*)>:", line):
            name = title[1]
            own[name], calls[name] = 0, set()
        elif pushed := re.search(r"\tpush\t\{(.*)\}", line):
            own[name] += 4 * len(pushed[1].split(","))
        elif taken := re.search(r"\t(?:sub\tsp, #|addi?\tsp,sp,-)(\d+)", line):
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

    return deep(entry) + stored + deep(interrupt)


def weight_of_tiny(core, elf):
    """Row -> bytes of a program, and row -> bytes of the chip."""
    # Without the namespace: the value and the size of each symbol.
    symbols = {name: (int(value, 16), int(size or "0", 16)) for value, size, name in re.findall(
        r"^(\w{8})(?: (\w{8}))? \w (?:.*::)?(\w+)$", output("arm-none-eabi-nm", "-C", "-S", elf), re.M)}
    timers = re.findall(r"^tickwheel::\w+_timer (\w+)\{", Path("examples/tiny/main.cpp").read_text(), re.M)
    assert len(timers) == 8, timers
    flash, variables = bytes_of(elf)
    weight = {"flash": flash, "wheel": symbols["tickwheel_clock"][1] + symbols["tickwheel_slots"][1],
              "timers": sum(symbols[name][1] for name in timers), "stack": symbols["board_stack_size"][0],
              "deepest": deepest(elf, *tiny_cores[core])}
    if not 0 < weight["deepest"] <= weight["stack"]:
        sys.exit(f"{elf}: {weight['deepest']} bytes of stack, and examples/tiny/chip.ld states {weight['stack']}")
    return weight | {"other": variables - weight["wheel"] - weight["timers"], "ram": variables + weight["stack"]}, {
        name: symbols[f"board_{name}_size"][0] for name in ("flash", "ram")}


def figures_of_tiny(directory):
    """The figures, and the rows of a table. In `directory` is a program for each core."""
    found = {core: weight_of_tiny(core, directory / f"tiny-{core}.elf") for core in tiny_programs}
    _, chip = found["rv32ec"]
    figures = {f"tiny.{core}.{name}": bytes for core, (weight, _) in found.items() for name, bytes in weight.items()}
    figures |= {f"tiny.chip.{name}": chip.get(name, "-") for name, _ in tiny_rows}
    return figures, [[label, *(weight[name] for weight, _ in found.values()), chip.get(name, "-")] for name, label in tiny_rows]


def main(directory, cpus, levels, geometry_names):
    cpus, levels = cpus.split(), levels.split()
    # Code, constants, and the first values of variables; then RAM.
    linked = {f"{cpu}-{level}": bytes_of(directory / f"{cpu}-{level}/linked.elf") for cpu in cpus for level in levels}

    print_table("linked for arm, cancel, tick and run, bytes", ["", *levels],
                *([cpu, *(linked[f"{cpu}-{level}"][0] for level in levels)] for cpu in cpus))
    feature_figures, rows = figures_of_features(
        directory / "features", lambda cpu, choices: directory / f"{'one_shot-' if choices else ''}{cpu}-Os/tickwheel.o")
    print_table("each feature, bytes at -Os over a plain timer", ["", "flash M3", "flash M0", "RAM"], *rows)
    program_figures, rows = figures_of_programs(directory, geometry_names.split())
    print_table("README's programs on a Cortex-M0 at -Os, bytes", ["", "C flash", "C RAM", "C++ flash", "C++ RAM"], *rows)
    tiny_figures, rows = figures_of_tiny(directory)
    print_table("examples/tiny at -Os, bytes", ["", *tiny_programs.values(), "the chip"], *rows)
    timer = re.search(r" (\w+) \w timer$", output("arm-none-eabi-nm", "-S", f"{directory}/features/plain-cortex-m3.elf"), re.M)[1]
    write_figures(directory / "figures", {"ram.wheel": max(ram for _, ram in linked.values()), "ram.timer": int(timer, 16)} | {
        f"linked.{build}": linked[build][0] for build in ("cortex-m3-Os", "cortex-m0-Os")} | {
            name: tiny_figures[name] for core in tiny_programs for name in (f"tiny.{core}.flash", f"tiny.{core}.ram")})
    # These have no limits, but figures.py reads them.
    write_figures(directory / "details", feature_figures | program_figures | tiny_figures | {
        f"linked.{build}": flash for build, (flash, _) in linked.items()})


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
