#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what GDB says of the timers of a firmware with the file `timers.expected`, line by line. A core file and an image
of RAM must give the same listing as the live target.

    compare_listings.py FIRMWARE.elf [--write|--list]

--write writes that file. Read the difference before you commit it. --list only compares the first listing, for a firmware
of which GDB mistakes the code for what the linker discarded, so that it finds no variable by its name."""
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "timers.expected"
TOOLS = HERE.parents[2] / "tools/gdb"
QEMU = ("qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -S -gdb stdio "
        "-semihosting-config enable=on,target=native")
# The command must not confuse GDB itself, so it must not read the debug information of all files.
CALLER = 'print $_caller_is("main")'
# The commands whose answers are compared.
SHOWN = ("info timers", "pipe info timers", "set var", CALLER)
LIST = "info timers"
FILE_ALONE = "pipe info timers | head -2"
# Links, another word of a timer, the head of a slot, the runner's mark, and `cascade_unfinished`. Each is put back.
OVERWRITTEN = ["pipe info timers | cat >$LISTING", *(command for word, value in (
    ("keys[1].prev", "0xdeadbee0"), ("devices_start::once.prev", "0xdeadbee0"),
    ("devices_start::once.next", "0xdeadbee0"), ("keys[2].slot", "0xffff"), ("tickwheel_slots.first[48]", "0xdeadbee0"),
    ("tickwheel_slots.running_timer", "(timer_list *)&tickwheel_slots"),
    ("tickwheel_slots.cascade_unfinished", "1"))
    for command in (f"set $before = {word}", f"set var {word} = {value}", "pipe info timers | diff $LISTING - | grep '^[<>]'",
                    f"print {word} = $before"))]
# One wheel of three can be read. Where the others are depends on the build.
UNREADABLE = ["mem 0 0x400000 ro", "mem &radio &radio+1 rw", LIST, "delete mem"]
IN_A_CALLBACK = ["continue", "pipe info timers | head -1"]
LAGGING = ["continue", "pipe info timers | grep -E 'wheel def|keys.0|often|wear|SysTick'"]


def gdb(elf, *commands):
    """The commands that are compared, and what GDB answers."""
    commands = ["set pagination off", "set width 0", f"source {TOOLS / 'tickwheel_gdb.py'}", *commands, "# The end", "kill"]
    words = [word for command in commands for word in ("-ex", f"echo (gdb) {command}\\n", "-ex", command)]
    printed = subprocess.run(["test/with_limit", "60", "gdb-multiarch", "-nx", "-batch", *words, elf], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env={**os.environ, "LISTING": elf.with_suffix(".listing")}).stdout
    said, shown = [], False
    for line in re.sub(r"at address 0x\w+", "there", printed).splitlines():
        if line.startswith("(gdb) "):
            shown = line[6:].startswith(SHOWN)
        if shown:
            said.append(line)
    if len(said) < 2:
        sys.exit(f"GDB printed\n{printed}\n0 passed, 1 failed")
    return said


def first_listing(lines):
    """What GDB answers to the first `info timers`."""
    start = lines.index(f"(gdb) {LIST}") + 1
    return lines[start:next(i for i, line in enumerate(lines) if line.startswith("(gdb) ") and i > start)]


def compare(what, expected, found):
    """Prints the difference. Returns how many lines are right and how many are not."""
    difference = [line for line in difflib.unified_diff(expected, found, "timers.expected", what, lineterm="", n=0)]
    print(*difference, sep="\n", end="\n" if difference else "")
    wrong = sum(line[0] in "-+" for line in difference[2:])
    return len(found) - sum(line[0] == "+" for line in difference[2:]), wrong


def compare_all(elf, live, write):
    """Compares the live target, a core file and an image of RAM."""
    core, ram, stack, scs, made, registers = (elf.with_suffix("." + end) for end in (
        "core", "ram", "stack", "scs", "made", "registers"))
    save = [f"gcore {core}", f"dump binary value {ram} *(char (*)[0x4000])0x20000000",
            f"dump binary value {stack} *(char (*)[0x1000])0x203ff000", f"dump binary value {scs} *(char (*)[0x24])0xe000ed00",
            # GDB needs these to follow the stack.
            f"pipe info registers r7 r11 sp lr pc xpsr | awk '{{ print $1 \"=\" $2 }}' >{registers}"]
    said = [*gdb(elf, FILE_ALONE), *gdb(elf, *live, LIST, *OVERWRITTEN, *UNREADABLE, *save, *IN_A_CALLBACK, *LAGGING)]
    subprocess.run([TOOLS / "ram_to_core.py", elf, made, f"{ram}@0x20000000", f"{stack}@0x203ff000",
                    f"{scs}@0xe000ed00", *registers.read_text().split()], check=True)
    if write:
        EXPECTED.write_text("\n".join(said) + "\n")
    expected = EXPECTED.read_text().splitlines()
    yield compare("live", expected, said)
    live_listing = first_listing(expected)
    # A core file has no registers of the core, which the image has.
    for what, file, lines in (("core file", core, live_listing[:-1]), ("images of RAM and registers", made, live_listing)):
        yield compare(what, lines, gdb(elf, f"core-file {file}", LIST)[1:])


def main(elf, *options):
    elf = Path(elf)
    live = ["set remotetimeout 60", f"target remote | exec {QEMU} -kernel {elf}", "break stop_here", "continue"]
    if options == ("--list",):
        expected = [f"(gdb) {LIST}", *first_listing(EXPECTED.read_text().splitlines()), f"(gdb) {CALLER}", "$1 = true"]
        counts = [compare("live", expected, gdb(elf, *live, LIST, CALLER))]
    else:
        counts = compare_all(elf, live, options == ("--write",))
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
