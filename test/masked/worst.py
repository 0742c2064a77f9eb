# SPDX-License-Identifier: MIT
"""The longest path through each call, from its first instruction to its return, and beside it the maximum of `make bench`.

A path weighs an instruction each, or the cycles of an M0 or M0+. Interrupts may come wherever they are open; their own time
is not part of a call. The call itself, BL, does not count, as in a masked section."""
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
                 "single_timeout_arm late_arm",
    "add_timer": "add", "mod_timer_idle": "", "timer_reduce": "reduce_idle reduce_pending",
    "mod_timer_pending": "mod_pending_idle mod_pending_pending", "mod_timer_within": "",
    "timer_delete": "cancel cancel_idle timeout_cancel short_cancel single_timeout_cancel late_cancel",
    "try_to_del_timer_sync": "try_cancel", "timer_shutdown": "shutdown", "tick": "", "advance": "advance",
    "next_event": "no_event event", "get_jiffies_64": "jiffies_64",
}
# Row of masked sections -> the part of the library, as in `make masked`.
SECTIONS = {"interrupts masked": "wheel", "interrupts masked in next_event": "search",
            "interrupts masked in each tick by the SysTick driver": "systick_tick",
            "interrupts masked around a sleep by the SysTick driver": "systick",
            "interrupts masked in each tick by the counter driver": "counter_tick",
            "interrupts masked around a sleep by the counter driver": "counter"}
# The name of a core, the first of its group of builds, where bench has its counts, and what is measured. Only the table with
# cycles has the rows of masked sections: `make masked` has their instructions.
TABLES = (
    (("M0", "cortex-m0", "build/bench/cortex-m0", (INSTRUCTIONS, *CORES)),),
    (("M3", "cortex-m3", "build/bench/cortex-m3", (INSTRUCTIONS,)),
     ("RV32IMAC", "rv32imac", "build/bench/riscv/rv32imac", (INSTRUCTIONS,))),
)
HEADINGS = {INSTRUCTIONS: "{}", "m0": "M0 cycles", "m0plus": "M0+ cycles"}


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


def columns(table, program_of):
    """For each column its heading, and the longest path of each call and the maximum that was measured."""
    for core, cpu, counted, units in table:
        for level in ("-O2", "-Os"):
            program, parts, loops = program_of(Build(GROUP_OF[cpu], "GCC", level))
            counts = [Counts(Path(f"{counted}{level}-{n}.counts")) for n in (10, 1000)]
            for unit in units:
                walk, cells = Call(program, unit=unit), {}
                for call, operations in CALLS.items():
                    length, path = walk.of(f"tickwheel_{call}")
                    cells[call] = length, measured(counts, operations) if unit == INSTRUCTIONS else 0
                    write_path(program, f"{cpu}{level}", unit, call, length, path)
                if len(units) > 1:
                    cells.update(zip(SECTIONS, ((length, 0) for length in masked(unit, program, parts, loops))))
                yield f"{HEADINGS[unit].format(core)} {level}", cells


def write_path(program, build, unit, call, length, path):
    """build/masked/worst has each longest path, as source lines."""
    file = Path(f"build/masked/worst/{build}/{call}.{unit}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([f"{call}: {length}", *map(program.shown, path), ""]))


def main(check, program_of, compiler_of):
    """Prints the tables, and writes or compares those of the page. Returns how many figures are wrong."""
    wrong, tables = 0, []
    for table in TABLES:
        found, rows = list(columns(table, program_of)), []
        for call in found[0][1]:
            cells = [cells[call] for _, cells in found]
            rows.append([f"`{call}`" if call in CALLS else call,
                         *(f"{length} / {maximum}" if maximum else str(length) for length, maximum in cells)])
            for (heading, _), (length, maximum) in zip(found, cells):
                if maximum and maximum > length:
                    print(f"{call}, {heading}: make bench measured {maximum}, more than the longest path of {length}")
                    wrong += 1
        tables.append(page.table(["`make worst`", *(heading for heading, _ in found)], rows))
    text, named = "\n".join(tables), page.compilers("worst")
    print(text)
    used = [compiler_of(Build(GROUP_OF[cpu], "GCC", "-Os")) for table in TABLES for _, cpu, *_ in table]
    if others(page.PATH, named, used):
        return wrong
    if not check and not wrong:
        page.write_with_compilers("worst", named, text)
    elif check:
        stale = [line for line in text.splitlines() if line not in page.read("worst").splitlines()]
        print(*(f"{page.PATH} has another row: {line}" for line in stale), sep="\n")
        wrong += len(stale)
    return wrong
