# SPDX-License-Identifier: MIT
"""The longest path through each call, from its first instruction to its return, and beside it the maximum of `make bench`.

A path weighs an instruction each, or the cycles of an M0 or M0+. Interrupts may come wherever they are open; their own time
is not part of a call. The call itself, BL, does not count, as in a masked section."""
import sys
from pathlib import Path

import page
from builds import GROUP_OF, Build
from compilers import others
from counts import Counts
from cycles import CORES, INSTRUCTIONS
from proof import Proof
from state import State
from walk import Walk

# Call -> the operations of bench that are this call and nothing else.
CALLS = {
    "mod_timer": "arm move arm_far arm_overdue move_overdue move_same timeout_arm short_arm watchdog_restart "
                 "single_timeout_arm sleep_arm",
    "add_timer": "add", "mod_timer_idle": "", "timer_reduce": "reduce_idle reduce_pending",
    "mod_timer_pending": "mod_pending_idle mod_pending_pending", "mod_timer_within": "",
    "timer_delete": "cancel cancel_idle timeout_cancel short_cancel single_timeout_cancel",
    "try_to_del_timer_sync": "try_cancel", "timer_shutdown": "shutdown", "tick": "", "advance": "advance",
    "next_event": "no_event event sleep_ask", "get_jiffies_64": "jiffies_64",
}
# Row of masked sections -> the part of the library, as in `make masked`.
SECTIONS = {"interrupts masked": "wheel", "interrupts masked in next_event": "search",
            "interrupts masked in each tick by the SysTick driver": "systick_tick",
            "interrupts masked around a sleep by the SysTick driver": "systick",
            "interrupts masked in each tick by the counter driver": "counter_tick",
            "interrupts masked around a sleep by the counter driver": "counter"}
# The name of a core, the first of its group of builds, and what is measured.
CORES_OF_TABLE = (("M3", "cortex-m3", (INSTRUCTIONS,)), ("RV32IMAC", "rv32imac", (INSTRUCTIONS,)),
                  ("M0", "cortex-m0", (INSTRUCTIONS, *CORES)))
HEADINGS = {INSTRUCTIONS: "{}", "m0": "M0, cycles", "m0plus": "M0+, cycles"}
# The columns of the list. Its calls are followed for each N up to that of the file `loops`.
COLUMNS_OF_LIST = (("list, M3", "cortex-m3", INSTRUCTIONS), ("list, M0", "cortex-m0", INSTRUCTIONS),
                   ("list, M0, cycles", "cortex-m0", "m0"))
MOST_TIMERS = 16
# Those of one-shot mode, which has neither a tick nor an advance.
COLUMNS_OF_ONE_SHOT = (("one-shot, M3", "cortex-m3"), ("one-shot, M0", "cortex-m0"))


class Call(Walk):
    """A walk of whole calls, which goes on where the mask opens."""

    def ends(self, state, here):
        return state.at is None

    def of(self, function):
        """The length of the longest path, and its addresses."""
        self.done.clear()
        self.processor.masks_of_caller = 0
        return self.longest(State(self.program.functions[function], 0, self.program.machine.REGISTERS))


def masked(unit, program, parts, loops):
    """The longest masked section of each part."""
    proof = Proof(program, *loops, unit=unit)
    proof.every_function()
    found = proof.longest_of(parts)
    return [found[part][0] for part in SECTIONS.values()]


def measured(counts, operations):
    """The maximum that these operations took, without the BL with which their count begins, or 0."""
    return max([1, *(one.counted(name)[2] for one in counts for name in operations.split())]) - 1


def columns(level, program_of):
    """For each column its heading, and the longest path of each call and the maximum that was measured. A column of cycles has
    the masked sections too: `make masked` has their instructions."""
    for core, cpu, units in CORES_OF_TABLE:
        program, parts, loops = program_of(Build(GROUP_OF[cpu], "GCC", level))
        # The plugin counts Thumb code alone.
        counts = [Counts(Path(f"build/bench/{cpu}{level}-{n}.counts")) for n in (0, 10, 1000) if cpu != "rv32imac"]
        for unit in units:
            walk, cells = Call(program, unit=unit), {}
            for call, operations in CALLS.items():
                length, path = walk.of(f"tickwheel_{call}")
                cells[call] = length, measured(counts, operations) if unit == INSTRUCTIONS else 0
                write_path(program, f"{cpu}{level}", unit, call, length, path)
            if unit != INSTRUCTIONS:
                cells.update(zip(SECTIONS, ((length, 0) for length in masked(unit, program, parts, loops))))
            yield HEADINGS[unit].format(core), cells


def columns_of_list(program_of):
    """The same for a list of N timers with the one that is armed, at -Os."""
    programs = {}
    for heading, cpu, unit in COLUMNS_OF_LIST:
        if cpu not in programs:
            programs[cpu] = program_of(Build(GROUP_OF[cpu], "GCC", "-Os", "GEOMETRY=1"))
        program, _, (spins, limits, begins) = programs[cpu]
        cells = {}
        for call in CALLS:
            lengths = []
            for timers in range(1, MOST_TIMERS + 1):
                passes = {one: timers if limit == MOST_TIMERS else limit for one, limit in limits.items()}
                length, path = Call(program, spins, passes, begins, unit).of(f"tickwheel_{call}")
                lengths.append(length)
            write_path(program, f"{cpu}-Os-list", unit, call, length, path)
            cells[call] = line_through(call, lengths), 0
        yield heading, cells


def columns_of_one_shot(program_of):
    """The same in one-shot mode, at -Os."""
    for heading, cpu in COLUMNS_OF_ONE_SHOT:
        program, _, loops = program_of(Build(GROUP_OF[cpu], "GCC", "-Os", "COUNTER=pico"))
        cells = dict.fromkeys(CALLS, ("-", 0))
        for call in (call for call in CALLS if f"tickwheel_{call}" in program.functions):
            length, path = Call(program, *loops).of(f"tickwheel_{call}")
            write_path(program, f"{cpu}-Os-one_shot", INSTRUCTIONS, call, length, path)
            cells[call] = length, 0
        yield heading, cells


def line_through(call, lengths):
    """a + b N, if that is the length for each N from 1 on."""
    slope = lengths[1] - lengths[0]
    start = lengths[0] - slope
    if lengths != [start + slope * timers for timers in range(1, len(lengths) + 1)]:
        sys.exit(f"worst.py: {call} of a list takes {lengths}, which is no a + b N")
    return f"{start} + {slope} N" if slope else start


def write_path(program, build, unit, call, length, path):
    """build/masked/worst has each longest path, as source lines."""
    file = Path(f"build/masked/worst/{build}/{call}.{unit}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([f"{call}: {length}", *map(program.shown, path), ""]))


def tables(level, found, maxima):
    """The calls, then the masked sections, with or without the measured maxima."""
    def cell(length, maximum):
        return f"{length} / {maximum}" if maxima and maximum else str(length)

    for rows in (CALLS, SECTIONS):
        heading, filled = zip(*((heading, cells) for heading, cells in found if rows.keys() <= cells.keys()))
        yield page.table([f"`make worst`, {level}", *heading],
                         [[f"`{row}`" if rows is CALLS else row, *(cell(*cells[row]) for cells in filled)] for row in rows])


def main(check, program_of, compiler_of):
    """Prints the tables, and writes or compares those of the page, which are of -Os. Returns how many figures are wrong."""
    wrong = 0
    for level in ("-O2", "-Os"):
        found = list(columns(level, program_of))
        if level == "-Os":
            found += [*columns_of_list(program_of), *columns_of_one_shot(program_of)]
        print("\n".join(tables(level, found, maxima=True)))
        for heading, cells in found:
            for call, (length, maximum) in cells.items():
                if maximum and maximum > length:
                    print(f"{call}, {heading} {level}: make bench measured {maximum}, more than the longest path of {length}")
                    wrong += 1
    text, named = "\n".join(tables(level, found, maxima=False)), page.compilers("worst")
    used = [compiler_of(Build(GROUP_OF[cpu], "GCC", level)) for _, cpu, *_ in CORES_OF_TABLE]
    if others(page.PATH, named, used):
        return wrong
    if not check and not wrong:
        page.write_with_compilers("worst", named, text)
    elif check:
        stale = [line for line in text.splitlines() if line not in page.read("worst").splitlines()]
        print(*(f"{page.PATH} has another row: {line}" for line in stale), sep="\n")
        wrong += len(stale)
    return wrong
