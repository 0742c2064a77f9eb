#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes files for other tools of a trace that tickwheel/recorder.hpp has recorded.

    convert.py TRACE [--elf FIRMWARE.elf] [--out FOLDER] [--time-hz N] [--to-scale]

TRACE is an image of RAM, or the records that the firmware has sent. FOLDER gets trace.json for ui.perfetto.dev and
speedscope, the CTF trace ctf/ for babeltrace2 and Trace Compass, and trace.vcd for GTKWave. With the ELF file, GDB names
the timers as `info timers` does. --time-hz is for a stream that lacks its start. trace.json cuts long stretches without an event short
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
import ctf  # noqa: E402
import records  # noqa: E402
import vcd  # noqa: E402

HERE = Path(__file__).resolve().parent


def addresses(timers):
    return {address: hex(address) for address in timers}


def names_in(elf, timers):
    """What tools/gdb calls these timers."""
    elf.open("rb").close()
    gdb = shutil.which("gdb-multiarch") or shutil.which("arm-none-eabi-gdb")
    if gdb is None:
        raise ValueError("--elf needs gdb-multiarch")
    ask = f"python print('names', {{address: Program.now().owner(address)[0] for address in {timers}}})"
    answer = subprocess.run([gdb, "-nx", "-batch", "-x", HERE.parent / "gdb" / "tickwheel_gdb.py", "-ex", ask, elf],
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if "not in executable format" in answer.stderr:
        raise ValueError(f"GDB cannot read the program {elf}")
    found = re.search(r"^names (\{.*\})$", answer.stdout, re.M)
    if not found:
        raise ValueError(f"GDB names no timer of {elf}: {(answer.stderr.split(chr(10)) + [''])[-2]}")
    return ast.literal_eval(found[1])


def converted(data, name, time_hz=None, to_scale=False):
    """The trace in these bytes, and its files by their names. `name` gives names to the addresses of timers. Raises ValueError
    with one line if there is no trace in them."""
    trace = records.read(data, time_hz)
    names = name(trace.timers())
    return trace, {"trace.json": chrome.text(trace, names, to_scale).encode(), "trace.vcd": vcd.text(trace, names).encode(),
                   "ctf/metadata": ctf.metadata(trace).encode(), "ctf/stream": ctf.stream(trace, names)}


def frequency(text):
    if int(text) <= 0:
        raise ValueError
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path, help="an image of RAM, or a stream of records")
    parser.add_argument("--elf", type=Path, help="the program, for the names of its timers")
    parser.add_argument("--out", type=Path, default=Path("."), help="the folder for the three files")
    parser.add_argument("--time-hz", type=frequency, help="counts a second, for a stream that lacks its start")
    parser.add_argument("--to-scale", action="store_true", help="draw long stretches without an event at their full length")
    given = parser.parse_args()
    try:
        name = (lambda timers: names_in(given.elf, timers)) if given.elf else addresses
        trace, files = converted(given.trace.read_bytes(), name, given.time_hz, given.to_scale)
        for path, content in files.items():
            file = given.out / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        sys.exit(f"{given.trace}: {error}")
    print(", ".join(f"{name} {count}" for name, count in trace.counts().items() if count))
    print(f"{len(trace.events)} events of {len(trace.timers())} timers, {trace.torn} torn, {trace.lost} lost, "
          f"{trace.skipped_bytes} bytes that are no record")
    print(f"{given.out}: trace.json, trace.vcd, ctf/")


if __name__ == "__main__":
    main()
