#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converts a trace that tickwheel/recorder.hpp has recorded to JSON, which ui.perfetto.dev and speedscope open.

    convert.py TRACE [--elf FIRMWARE.elf] [--out trace.json] [--time-hz N] [--to-scale]

TRACE is an image of RAM, or the records that the firmware has sent. With the ELF file, GDB names the timers as
`info timers` does. --time-hz is for a stream that lacks its start. Long stretches without an event are cut short
unless --to-scale is given."""
import argparse
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import chrome  # noqa: E402
import records  # noqa: E402

TICKWHEEL_GDB = Path(__file__).resolve().parent.parent / "gdb" / "tickwheel_gdb.py"


def names_in(elf, timers):
    """What tools/gdb calls these timers."""
    elf.open("rb").close()
    gdb = shutil.which("gdb-multiarch") or shutil.which("arm-none-eabi-gdb")
    if gdb is None:
        raise ValueError("--elf needs gdb-multiarch")
    ask = f"python print('names', {{address: Program.now().owner(address)[0] for address in {timers}}})"
    answer = subprocess.run([gdb, "-nx", "-batch", "-x", TICKWHEEL_GDB, "-ex", ask, elf],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if "not in executable format" in answer.stderr:
        raise ValueError(f"GDB cannot read the program {elf}")
    found = re.search(r"^names (\{.*\})$", answer.stdout, re.M)
    if not found:
        raise ValueError(f"GDB names no timer of {elf}: {(answer.stderr.split(chr(10)) + [''])[-2]}")
    return ast.literal_eval(found[1])


def frequency(text):
    if int(text) <= 0:
        raise ValueError
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path, help="an image of RAM, or a stream of records")
    parser.add_argument("--elf", type=Path, help="the program, for the names of its timers")
    parser.add_argument("--out", type=Path, default=Path("trace.json"), help="the file to write")
    parser.add_argument("--time-hz", type=frequency, help="counts a second, for a stream that lacks its start")
    parser.add_argument("--to-scale", action="store_true", help="draw long stretches without an event at their full length")
    given = parser.parse_args()
    try:
        trace = records.read(given.trace.read_bytes(), given.time_hz)
        names = names_in(given.elf, trace.timers()) if given.elf else {}
        given.out.write_text(chrome.text(trace, names, given.to_scale))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        sys.exit(f"{given.trace}: {error}")
    print(", ".join(f"{name} {count}" for name, count in trace.counts().items()))
    print(f"{len(trace.events)} events of {len(trace.timers())} timers, {trace.torn} torn, {trace.lost} lost, "
          f"{trace.skipped_bytes} bytes that are no record")
    print(given.out)


if __name__ == "__main__":
    main()
