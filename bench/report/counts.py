#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes figures out of what count.c wrote. limits.py prints them with their limits, and figures.py writes them into the pages.

counts.py bench DIRECTORY "BUILD .." "N .."                      of `make bench`; BUILD-N.counts
counts.py calls DIRECTORY "BUILD .." OPERATION=NAME ..           of two cores and of a kernel; BUILD.counts
counts.py peers DIRECTORY "N .." "CPU SYSTEM .." ..              CPU/SYSTEM.o and CPU/SYSTEM-N.counts, N = 0 for the time-outs
counts.py few DIRECTORY "GEOMETRY .." "CORE .." "CPU .." TIMERS MOST
    each geometry, and the wheel beside an ordered list: geometry-GEOMETRY.counts of a run with TIMERS timers,
    geometry-GEOMETRY-CORE.elf, and CPU/SYSTEM-N.counts of 1 to MOST timers
"""

import re
import subprocess
import sys
from pathlib import Path

# The names of the operations, by number.
operations = re.findall(r"^    op_(\w+),$", Path("bench/wheel/measure.hpp").read_text(), re.M)
number = {name: i for i, name in enumerate(operations)}
# Of programs whose bytes are weighed.
flags = ("-std=c++17 -mthumb -Os -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables "
         "-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Icore "
         "-Iport/cortex_m -Iport/cortex_m_systick -isystem test/check/vendor").split()


def output(*command, **more):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def write_figures(path, figures):
    """A figure a line. Takes pairs or a dictionary."""
    path.write_text("".join(f"{name} {value}\n" for name, value in dict(figures).items()))


def print_table(title, *rows):
    """Prints a title, and rows of as many cells each. A column is as wide as its widest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    label, *widths = (max(map(len, column)) for column in zip(*rows))
    print(title)
    for first, *others in rows:
        print("  ".join([first.ljust(label), *(cell.rjust(width) for cell, width in zip(others, widths))]).rstrip())
    print()


def bytes_of(elf):
    """Bytes of flash and of RAM of a program."""
    table = output("arm-none-eabi-size", "-A", str(elf))
    sizes = re.findall(r"^\.(text|rodata|init_array|data|bss)\S* +(\d+)", table, re.M)
    return (sum(int(size) for name, size in sizes if name != "bss"),
            sum(int(size) for name, size in sizes if name in ("data", "bss")))


def average(total, count):
    """Returns an average with one decimal, rounded up."""
    tenths = -(-total * 10 // count)
    return f"{tenths // 10}.{tenths % 10}"


class Counts:
    """The counts of one run."""

    def __init__(self, path):
        # The second has the cycles, for a core of cycles.py after another: total and most.
        self.operation, self.cycles = {}, {}
        for line in path.read_text().splitlines():
            which, count, total, most, masked, _, _, *cycles = line.split()
            self.operation[int(which)] = int(count), int(total), int(most), int(masked)
            self.cycles[operations[int(which)]] = [int(word) for word in cycles]

    def of(self, name):
        """Count, total, most, and longest masked section."""
        return self.operation.get(number[name], (0, 0, 0, 0))

    def masked(self, *without):
        """The longest masked section of all operations but some."""
        return max(self.of(name)[3] for name in number if name not in without)

    def average(self, *names):
        """The instructions of all these for a call of the first."""
        return average(sum(self.of(name)[1] for name in names), self.of(names[0])[0])

    def timeout(self, name):
        """Of arming, 0.9 cancellations and a tenth of a tick."""
        return self.average(f"{name}_arm", f"{name}_cancel", f"{name}_tick")

    def worst_tick(self):
        return max(self.of(name)[2] for name in ("busy_tick", "idle_tick", "far_tick"))


def of_build(counts, sizes):
    """Yields the figures of a build: the worst of every N, unless the name has an N."""
    # Its masked section is a figure of its own, and longer than those of all other calls.
    search = ("no_event", "event")

    def most(*names):
        return max(counts[n].of(name)[2] for name in names for n in sizes)

    def worst_average(name):
        calls, total = max((counts[n].of(name)[:2] for n in sizes), key=lambda each: each[1] / each[0])
        return average(total, calls)

    # Small firmware first.
    one, many = counts[10], counts[10000]
    yield "watchdog.tick", one.average("watchdog_tick", "watchdog_restart")
    yield "inactivity.tick", one.average("inactivity_tick", "inactivity_restart")
    yield "time-out.tick", one.average("alone_tick", "alone_arm", "alone_cancel")
    yield "period-of-1.tick", one.average("period_tick")
    yield "late-cancels.pair", one.timeout("late")
    yield "late-cancels.most", one.of("late_tick")[2]
    yield "loaded-tick.10000.most", many.of("loaded_tick")[2]
    for name in ("arm", "cancel", "restart"):
        yield f"{name}.average", worst_average(name)
        yield f"{name}.most", most(name)
    for n in sizes:
        if n >= 1000:
            yield f"busy-tick.{n}", counts[n].average("busy_tick")
            yield f"busy-tick.{n}.most", counts[n].of("busy_tick")[2]
    yield "idle-tick.none", worst_average("idle_tick")
    yield "idle-tick.far-ahead", worst_average("far_tick")
    yield "idle-tick.most", most("idle_tick", "far_tick")
    for name, of_bench in (("timeouts", "timeout"), ("short-timeouts", "short")):
        yield f"{name}.pair", max((each.timeout(of_bench) for each in counts.values()), key=float)
    yield "masked", max(each.masked(*search) for each in counts.values())
    yield "masked.next-event", max(counts[n].of(name)[3] for name in search for n in sizes)
    yield "catch-up", most("catch_up", "far_catch_up")
    yield "burst-tick.10000", many.of("burst_tick")[2]
    yield "crowd.tick", many.of("crowd_tick")[2]
    yield "crowd.callback", many.of("crowd_callback")[2]
    for name in ("cascade_tv2", "cascade_tv3"):
        # What each timer adds, where there are many.
        yield name.replace("_", "."), average(many.of(name)[2] - counts[1000].of(name)[2], 9000)
    for budget in (1, 16, 64):
        yield f"budget.{budget}", most(f"budget_{budget}")
    yield "next-event.none", most("no_event")
    yield "next-event", most("event")


def bench(directory, builds, sizes):
    figures, sizes = [], [int(n) for n in sizes.split()]
    for build in builds.split():
        counts = {n: Counts(directory / f"{build}-{n}.counts") for n in sizes}
        for each in counts.values():
            for name, count in (("seven", 7), ("loop", 2004)):
                if each.of(name)[1] != count:
                    sys.exit(f"counts.py: {build}: the counting itself is wrong: {name} is {each.of(name)[1]}, not {count}")
        figures += [(f"{build}.{name}", value) for name, value in of_build(counts, sizes)]
    write_figures(directory / "figures", figures)


def calls(directory, builds, *names):
    figures = {}
    for build in builds.split():
        counts = Counts(directory / f"{build}.counts")
        for operation, _, name in (word.partition("=") for word in names):
            count, total, most, masked = counts.of(operation)
            figures |= {f"{build}.{name}.average": average(total, count), f"{build}.{name}.most": most,
                        f"{build}.{name}.masked": masked}
    write_figures(directory / "figures", figures)


# The systems and their names.
systems = dict(re.findall(r'^SYSTEM\((\w+), "(.*)"\)', Path("bench/peers/systems.def").read_text(), re.M))


def bytes_of_peer(directory, cpu, system):
    """Returns the bytes without timers, and those of a timer: the sizes of two arrays in the object."""
    table = output("arm-none-eabi-nm", "-S", directory / cpu / f"{system}.o")
    return [int(re.search(rf"^\w+ (\w+) \w bench_{what}$", table, re.M)[1], 16) for what in ("fixed", "timer")]


def row_of(directory, cpu, system, n):
    counts, timeouts = (Counts(directory / cpu / f"{system}-{each}.counts") for each in (n, 0))
    row = {column: counts.average(operation) for column, operation in (
        ("arm", "arm"), ("cancel", "cancel"), ("move", "restart"), ("busy_tick", "busy_tick"), ("far_tick", "far_tick"))}
    row |= {"timeout": timeouts.timeout("timeout"), "short_timeout": timeouts.timeout("short"), "worst_tick": counts.worst_tick()}
    row |= {name: counts.of(name)[2] for name in ("burst_tick", "crowd_callback")}
    row["masked"] = counts.masked()
    row["bytes"], row["timer"] = bytes_of_peer(directory, cpu, system)
    return row


def peers(directory, sizes, *cpus):
    figures = {}
    for cpu, *of_cpu in map(str.split, cpus):
        rows = {(system, n): row_of(directory, cpu, system, n) for system in of_cpu for n in sizes.split()}
        print_table(f"{cpu} -O2, instructions", ["", *next(iter(rows.values()))],
                    *([f"{systems[system]}, {n}", *row.values()] for (system, n), row in rows.items()))
        figures.update((f"{cpu}.{system}.{n}.{column}", value)
                       for (system, n), row in rows.items() for column, value in row.items())
    write_figures(directory / "figures", figures)


kinds = {"pair": "for an arm and a cancel", "masked": "with interrupts masked, at most",
         "worst": "in the worst tick, periodic timers"}
# Those of docs/is-it-for-me.md.
few_timers = (5, 10, 15, 20, 40)
# What a program links of the list that arms, cancels and ticks.
list_program = """
#include "bench/peers/lists.hpp"
peers::ordered_list list;
extern "C" void arm(peers::list_timer *timer, jiffies_t expires) { list.arm(timer, expires); }
extern "C" bool cancel(peers::list_timer *timer) { return list.cancel(timer); }
extern "C" void tick() { list.tick(); }
"""


def flash_of_list(directory, cpu):
    source, elf = directory / "list.cpp", directory / cpu / "list.elf"
    source.write_text(list_program)
    output("arm-none-eabi-g++", *flags, f"-mcpu={cpu}", "-I.", "-DTICKWHEEL_LINK_CHECK=0", "-nostdlib",
           "-Wl,--gc-sections,-e,tick,-u,arm,-u,cancel", str(source), "-o", str(elf))
    return bytes_of(elf)[0]


def of_geometries(directory, geometries, cores):
    figures = {}
    for name in geometries:
        counts = Counts(directory / f"geometry-{name}.counts")
        flash, ram = zip(*(bytes_of(directory / f"geometry-{name}-{core}.elf") for core in cores))
        assert len(set(ram)) == 1, ram
        figures |= {f"geometry.{name}.wheel": ram[0], **dict(zip((f"geometry.{name}.{core}" for core in cores), flash)),
                    f"geometry.{name}.idle": counts.average("idle_tick"), f"geometry.{name}.worst": counts.worst_tick()}
    return figures


def of_few(directory, cpu, most):
    figures, least = {}, dict.fromkeys(kinds, most + 1)
    for n in range(most, 0, -1):
        found = {}
        for name, system in (("list", "ordered_list"), ("wheel", "tickwheel_wheel")):
            counts = Counts(directory / cpu / f"{system}-{n}.counts")
            found[name] = {"pair": counts.average("arm", "cancel"), "masked": counts.masked(), "worst": counts.worst_tick()}
            figures.update((f"few.{cpu}.{n}.{kind}.{name}", value) for kind, value in found[name].items())
        for kind in kinds:
            if float(found["wheel"][kind]) < float(found["list"][kind]) and least[kind] == n + 1:
                least[kind] = n
    for kind, n in least.items():
        if n > most:
            sys.exit(f"counts.py: {cpu}: the list takes no more than the wheel {kinds[kind]}, with up to {most} timers")
    return figures | {f"few.from.{kind}.{cpu}": n for kind, n in least.items()}


def few(directory, geometries, cores, cpus, timers, most):
    geometries, cores, cpus = geometries.split(), cores.split(), cpus.split()
    figures = of_geometries(directory, geometries, cores)
    columns = ["wheel", *cores, "idle", "worst"]
    print_table(f"each geometry: bytes of RAM, of flash at -Os; instructions of ticks with {timers} timers, Cortex-M0 -Os",
                ["", *columns], *([name, *(figures[f"geometry.{name}.{column}"] for column in columns)] for name in geometries))
    for cpu in cpus:
        figures |= of_few(directory, cpu, int(most))
    fixed, timer = bytes_of_peer(directory, "cortex-m0", "ordered_list")
    _, timer_of_wheel = bytes_of_peer(directory, "cortex-m0", "tickwheel_wheel")
    of_bytes = {f"flash-{cpu}": [flash_of_list(directory, cpu), *(figures[f"geometry.{name}.{cpu}"] for name in geometries)]
                for cpu in cpus}
    of_bytes |= {f"ram-{n}": [fixed + n * timer, *(figures[f"geometry.{name}.wheel"] + n * timer_of_wheel for name in geometries)]
                 for n in few_timers}
    print_table("bytes: flash at -Os, RAM with N timers", ["", "list", *geometries],
                *([row, *of] for row, of in of_bytes.items()))
    figures.update((f"few.{row}.{name}", value) for row, of in of_bytes.items()
                   for name, value in zip(("list", *geometries), of))
    print_table("instructions at -O2 with N timers, list and wheel", ["N", *(f"{cpu} {kind}" for cpu in cpus for kind in kinds)],
                *([n, *(f"{figures[f'few.{cpu}.{n}.{kind}.list']} {figures[f'few.{cpu}.{n}.{kind}.wheel']}"
                        for cpu in cpus for kind in kinds)] for n in few_timers))
    print_table("from how many timers on the wheel takes fewer instructions", ["", *cpus],
                *([label, *(figures[f"few.from.{kind}.{cpu}"] for cpu in cpus)] for kind, label in kinds.items()))
    write_figures(directory / "few", figures)


if __name__ == "__main__":
    {"bench": bench, "calls": calls, "peers": peers, "few": few}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
