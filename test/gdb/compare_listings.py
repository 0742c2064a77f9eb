#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what GDB says of the timers of a firmware with the file `timers.expected`, line by line. A core file and an image
of RAM must give the same listing as the live target.

    compare_listings.py FIRMWARE.elf [--write|--list]

--write writes that file. Read the difference before you commit it. --list only compares the first listing, for a firmware
of which GDB mistakes the code for what the linker discarded, so that it finds no variable by its name."""
import difflib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "timers.expected"
TOOLS = HERE.parent.parent / "tools" / "gdb"
QEMU = ("qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -S -gdb stdio "
        "-semihosting-config enable=on,target=native")
# What GDB needs to follow the stack.
REGISTERS = ["r7", "r11", "sp", "lr", "pc", "xpsr"]

# `say` writes a command and its answer, `change` what is different in it from the answer before it, line by line. `do` only does
# it: GDB prints where the target stops.
SCRIPT = """
import difflib
import re

before = []


def write(line):
    print(line, file=transcript)


def answer(command):
    write("(gdb) " + command)
    try:
        return re.sub("at address 0x\\w+", "there", gdb.execute(command, to_string=True).rstrip("\\n")).splitlines()
    except gdb.error as error:
        return str(error).splitlines()


def say(command):
    before[:] = answer(command)
    write("\\n".join(before))


def change(command):
    for line in list(difflib.unified_diff(before, answer(command), n=0, lineterm=""))[2:]:
        if not line.startswith("@@"):
            write(line)


def do(command):
    gdb.execute(command, to_string=True)


def registers():
    frame = gdb.newest_frame()
    return " ".join(f"{name}={int(frame.read_register(name)) % 2**32}" for name in REGISTERS)
"""
FILE_ALONE = ["write('\\n'.join(answer('info timers')[:2]))"]
LIST = ["say('info timers')"]
# Links, another word of a timer, the head of a slot, the runner's mark, and `cascading`. Each is put back.
OVERWRITTEN = [line for word, value in (
    ("keys[1].prev", "0xdeadbee0"), ("devices_start::once.prev", "0xdeadbee0"),
    ("devices_start::once.next", "0xdeadbee0"), ("keys[2].slot", "0xffff"), ("tickwheel_slots.first[72]", "0xdeadbee0"),
    ("tickwheel_slots.running_timer", "(timer_list *)&tickwheel_slots"),
    ("tickwheel_slots.cascading", "1"))
    for line in (f"do('set var $before = {word}')", f"write('(gdb) set var {word} = {value}')", f"do('set var {word} = {value}')",
                 "change('info timers')", f"do('set var {word} = $before')")]
# One wheel of three can be read. Where the others are depends on the build.
UNREADABLE = ["do('mem 0 0x400000 ro')", "do('mem &radio &radio+1 rw')", "say('info timers')", "do('delete mem')"]
IN_A_CALLBACK = ["do('continue')", "write(answer('info timers')[0])"]
LAGGING = ["do('continue')",
           "write('\\n'.join(line for line in answer('info timers') if re.search('wheel def|keys.0|often|wear|SysTick', line)))"]


def gdb(elf, target, lines):
    """What the lines write in a GDB that has this target."""
    script, transcript = elf.with_suffix(".script.py"), elf.with_suffix(".transcript")
    script.write_text("\n".join([f"{REGISTERS=}", f"transcript = open('{transcript}', 'w')", SCRIPT,
                                 *(f"do({command!r})" for command in target), *lines, "transcript.close()"]) + "\n")
    transcript.unlink(missing_ok=True)
    printed = subprocess.run(["test/with_limit", "60", "gdb-multiarch", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set width 0",
                              "-x", TOOLS / "tickwheel_gdb.py", "-x", script, elf], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    said = transcript.read_text().splitlines() if transcript.exists() else []
    if len(said) < 2:
        sys.exit(f"GDB printed\n{printed}\n0 passed, 1 failed")
    return said


def listing(lines):
    """The first list of all wheels."""
    first = lines.index("(gdb) info timers") + 1
    ends = [i for i, line in enumerate(lines) if line.startswith("(gdb) ") and i > first]
    return lines[first:ends[0] if ends else None]


def compare(what, expected, found):
    """Prints the difference. Returns how many lines are right and how many are not."""
    difference = [line for line in difflib.unified_diff(expected, found, "timers.expected", what, lineterm="", n=0)]
    print(*difference, sep="\n", end="\n" if difference else "")
    wrong = sum(line[0] in "-+" for line in difference[2:])
    return len(found) - sum(line[0] == "+" for line in difference[2:]), wrong


def compare_all(elf, live, write):
    """Compares the live target, a core file and an image of RAM."""
    core, ram, stack, scs, made = (elf.with_suffix("." + end) for end in ("core", "ram", "stack", "scs", "made"))
    save = [f"do('gcore {core}')", f"do('dump binary value {ram} *(char (*)[0x4000])0x20000000')",
            f"do('dump binary value {stack} *(char (*)[0x1000])0x203ff000')",
            f"do('dump binary value {scs} *(char (*)[0x24])0xe000ed00')", "write('(registers) ' + registers())"]
    said = gdb(elf, live, [*LIST, *OVERWRITTEN, *UNREADABLE, *save, *IN_A_CALLBACK, *LAGGING])
    registers = next(line for line in said if line.startswith("(registers)"))
    said.remove(registers)
    alone = gdb(elf, [], FILE_ALONE)
    said = alone + said
    subprocess.run([TOOLS / "ram_to_core.py", elf, made, f"{ram}@0x20000000", f"{stack}@0x203ff000",
                    f"{scs}@0xe000ed00", *registers.split()[1:]], check=True)
    if write:
        EXPECTED.write_text("\n".join(said) + "\n")
    expected = EXPECTED.read_text().splitlines()
    yield compare("live", expected, said)
    live_listing = listing(expected[len(alone):])
    # A core file has no registers of the core, which the image has.
    for what, file, lines in (("core file", core, live_listing[:-1]), ("images of RAM and registers", made, live_listing)):
        yield compare(what, lines, listing(gdb(elf, [f"core-file {file}"], LIST)))


def main(elf, *options):
    elf = Path(elf)
    live = ["set remotetimeout 60", f"target remote | exec {QEMU} -kernel {elf}", "break stop_here", "continue"]
    if options == ("--list",):
        # The command must not confuse GDB itself either, so it must not read the debug information of all files.
        said = gdb(elf, live, [*LIST, """say('print $_caller_is("main")')"""])
        expected = [*listing(EXPECTED.read_text().splitlines()[3:]), "$1 = true"]
        counts = [compare("live", expected, [line for line in said if not line.startswith("(gdb)")])]
    else:
        counts = compare_all(elf, live, options == ("--write",))
    passed, failed = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
