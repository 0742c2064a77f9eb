#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes files for other tools of a trace that tickwheel/recorder.hpp has recorded.

    convert.py TRACE [--elf FIRMWARE.elf] [--out FOLDER] [--time-hz N]

TRACE is an image of RAM, or the records that the firmware has sent. FOLDER gets trace.json for ui.perfetto.dev and
speedscope, the CTF trace ctf/ for babeltrace2 and Trace Compass, and trace.vcd for GTKWave. With the ELF file, GDB names
the timers as `info timers` does. --time-hz is for a stream that lacks its start."""
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


def names_of(addresses, elf):
    """What tools/gdb calls these timers."""
    names = {address: hex(address) for address in addresses}
    if elf:
        ask = f"python print('names', {{address: Program.now().owner(address)[0] for address in {addresses}}})"
        gdb = shutil.which("gdb-multiarch") or shutil.which("arm-none-eabi-gdb") or sys.exit("--elf needs gdb-multiarch")
        answer = subprocess.run([gdb, "-nx", "-batch", "-x", HERE.parent / "gdb" / "tickwheel_gdb.py", "-ex", ask, elf],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        found = re.search(r"^names (\{.*\})$", answer.stdout, re.M)
        if not found:
            sys.exit(f"GDB names no timer of {elf}:\n{answer.stdout}{answer.stderr}")
        names.update(ast.literal_eval(found[1]))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path)
    parser.add_argument("--elf", type=Path)
    parser.add_argument("--out", type=Path, default=Path("."))
    parser.add_argument("--time-hz", type=int)
    given = parser.parse_args()
    try:
        trace = records.read(given.trace.read_bytes(), given.time_hz)
    except ValueError as error:
        sys.exit(f"{given.trace}: {error}")
    names = names_of(trace.timers(), given.elf)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "trace.json").write_text(chrome.text(trace, names))
    (given.out / "trace.vcd").write_text(vcd.text(trace, names))
    ctf.write(trace, names, given.out / "ctf")
    print(", ".join(f"{name} {count}" for name, count in trace.counts().items() if count))
    print(f"{len(trace.events)} events of {len(names)} timers, {trace.torn} torn, {trace.lost} lost, "
          f"{trace.skipped_bytes} bytes that are no record")


if __name__ == "__main__":
    main()
