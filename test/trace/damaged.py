# SPDX-License-Identifier: MIT
"""Converts damaged images of RAM and damaged streams. Each one gives a trace.json or one clear line.

    damaged.py [NUMBER [FIRST_SEED]]"""
import json
import random
import struct
import subprocess
import sys
from pathlib import Path

import checks
import chrome
import records

EDGES = (0, 1, 2**15, 2**24, 2**31 - 1, 2**31, 2**32 - 1)
# Event, exception, time, subject and value, at a thousand counts a tick.
STORY = [(12, 0, 0, 10**6, 1000), (1, 0, 10, 64, 2), (1, 0, 20, 96, 3), (2, 0, 40, 96, 4), (9, 15, 2000, 2, 2), (4, 14, 2010, 64, 2),
         (9, 15, 4000, 4, 4), (5, 14, 6500, 64, 0), (4, 14, 6510, 96, 4), (5, 14, 6600, 96, 0), (10, 0, 6700, 6, 90), (11, 0, 96000, 96, 0),
         (6, 15, 96010, 300, 0), (7, 15, 96020, 128, 7), (8, 15, 96030, 300, 0), (3, 0, 96040, 128, 200)]


def rows(first):
    return [struct.pack("<4I", number % 65536 << 16 | event << 12 | exception, *rest)
            for number, (event, exception, *rest) in enumerate(STORY, first)]


STREAM = b"".join(rows(0))
# Its ring has turned by half.
IMAGE = bytes(64) + records.MARK + struct.pack("<4I", 10**6, 1000, 16, 24) + b"".join(rows(8)[8:] + rows(8)[:8]) + bytes(32)


def damage(data, chance):
    """Turns a bit or overwrites a word, leaves bytes out, repeats bytes, and cuts off an end."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, length, word = chance.randrange(len(data)), chance.randint(1, 48), chance.randrange(len(data) // 4) * 4
        if chance.random() < 0.5:
            data[at] ^= 1 << chance.randrange(8)
        else:
            data[word:word + 4] = struct.pack("<I", chance.choice((*EDGES, chance.getrandbits(32))))
        if chance.random() < 0.5:
            data[at:at + chance.choice((0, length))] = chance.choice((b"", data[word:word + length], (STREAM + IMAGE)[at:at + length]))
    return bytes(data if chance.random() < 0.7 else data[:chance.randrange(16, len(data))])


def ends(data, time_hz, to_scale):
    """How the conversion ends."""
    try:
        trace = records.read(data, time_hz)
        entries = json.loads(chrome.text(trace, {}, to_scale))["traceEvents"]
    except ValueError as error:
        return "one line" if str(error) and "\n" not in str(error) else f"not one line: {error!r}"
    except Exception as error:  # noqa: BLE001
        return repr(error)
    if checks.wrong_times(entries):
        return "wrong times"
    return "more events than bytes" if len(trace.events) * 16 > len(data) else "converted"


def command_line():
    """Each mistake gives one line and no success."""
    folder = Path("build/trace/damaged")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "image").write_bytes(IMAGE)
    (folder / "empty").write_bytes(b"")
    for arguments, expected in ((["imgae"], "imgae: No such file or directory"), (["."], ".: Is a directory"),
                                (["empty"], "empty: it has no record of a trace"), (["image", "--elf", "elf"], "elf: No such file or directory"),
                                (["image", "--elf", "empty"], "image: GDB cannot read the program empty\n"),
                                (["image", "--out", "empty/trace.json"], "empty/trace.json: Not a directory")):
        done = subprocess.run([checks.TOOLS / "convert.py", *arguments], cwd=folder, capture_output=True, text=True)
        checks.check(f"convert.py {arguments}", (done.returncode, done.stdout, done.stderr.count("\n"), done.stderr[:len(expected)]),
                     (1, "", 1, expected))


def main(number=20000, first=1):
    for whole in (STREAM, IMAGE):
        checks.check("the events of a sound one", len(records.read(whole).events), len(STORY))
    ended = {}
    for seed in range(first, first + number):
        chance = random.Random(seed)
        data = damage(chance.choice((STREAM, IMAGE)), chance)
        ended.setdefault(ends(data, chance.choice((None, 1000)), chance.random() < 0.5), []).append(seed)
    command_line()
    print(f"{number} damaged: " + ", ".join(f"{said} {len(seeds)} (seed {seeds[0]})" for said, seeds in sorted(ended.items())))
    checks.check("how they end", sorted(ended), ["converted", "one line"])
    checks.end()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
