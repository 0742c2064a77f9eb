# SPDX-License-Identifier: MIT
"""Converts damaged images of RAM and damaged streams. Each one gives a trace.json or one clear line, in bounded time.

    damaged.py [NUMBER [FIRST_SEED]]"""
import json
import random
import signal
import struct
import subprocess
import sys
from pathlib import Path

import checks
import chrome
import records

SECONDS = 60
EDGES = (0, 1, 2**15, 2**24, 2**31 - 1, 2**31, 2**32 - 1)
# Event, exception, time, subject and value, at a thousand counts a tick.
STORY = [(12, 0, 0, 10**6, 1000), (1, 0, 10, 64, 2), (1, 0, 20, 96, 3), (2, 0, 40, 96, 4), (9, 15, 2000, 2, 2), (4, 14, 2010, 64, 2),
         (9, 15, 4000, 4, 4), (5, 14, 6500, 64, 0), (4, 14, 6510, 96, 4), (5, 14, 6600, 96, 0), (10, 0, 6700, 6, 90), (11, 0, 96000, 96, 0),
         (6, 15, 96010, 300, 0), (7, 15, 96020, 128, 7), (8, 15, 96030, 300, 0), (3, 0, 96040, 128, 200)]


def sound():
    """A stream, an image of RAM whose ring has turned by half, and a stream of 240 000 events."""
    def rows(first, story=STORY):
        return [struct.pack("<4I", number % 65536 << 16 | event << 12 | exception, *rest)
                for number, (event, exception, *rest) in enumerate(story, first)]
    ring = rows(8)[8:] + rows(8)[:8]
    return b"".join(rows(0)), bytes(64) + records.MARK + struct.pack("<4I", 10**6, 1000, 16, 24) + b"".join(ring) + bytes(32), \
        b"".join(rows(0, STORY * 15000))


def damage(data, other, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, length, word = chance.randrange(len(data) + 1), chance.randint(1, 48), chance.randrange(len(data) // 4 + 1) * 4
        what = chance.randrange(6)
        if what == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            data = data[:at] if chance.random() < 0.5 else data[at:]
        elif what == 2:
            data[at:at + length] = b""
        elif what == 3:
            start = chance.randrange(len(other))
            data[at:at + chance.choice((0, length))] = other[start:start + length]
        elif what == 4:
            data[word:word + 4] = struct.pack("<I", chance.choice(EDGES))
        else:
            data[word:word + 4] = chance.randbytes(4)
    return bytes(data)


def converted(data, time_hz=None, to_scale=False):
    """The trace, and the entries of trace.json."""
    trace = records.read(data, time_hz)
    return trace, json.loads(chrome.text(trace, {}, to_scale))["traceEvents"]


def too_long(*_):
    raise TimeoutError(f"more than {SECONDS} seconds of processor time")


def command_line():
    """Each mistake gives one line and no success."""
    folder = Path("build/trace/damaged")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "image").write_bytes(sound()[1])
    (folder / "empty").write_bytes(b"")
    (folder / "half").write_bytes(b"\x7fELF\1\1\1")
    for arguments, expected in ((["imgae"], "imgae: No such file or directory"), (["."], ".: Is a directory"),
                                (["empty"], "empty: it has no record of a trace"), (["image", "--elf", "elf"], "elf: No such file or directory"),
                                (["image", "--elf", "empty"], "image: GDB cannot read the program empty\n"),
                                (["image", "--elf", "half"], "image: GDB cannot read the program half\n"),
                                (["image", "--out", "empty/trace.json"], "empty/trace.json: Not a directory")):
        done = subprocess.run([checks.TOOLS / "convert.py", *arguments], cwd=folder, capture_output=True, text=True)
        checks.check(f"convert.py {arguments}", (done.returncode, done.stdout, done.stderr.count("\n"), done.stderr[:len(expected)]),
                     (1, "", 1, expected))


def main(number=10**5, first=1):
    signal.signal(signal.SIGVTALRM, too_long)
    stream, image, long_stream = sound()
    for whole, events in ((stream, 16), (image, 16), (long_stream, 240000)):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        checks.check("the events of a sound one", len(converted(whole)[0].events), events)
    ended = {}
    for seed in range(first, first + number):
        chance = random.Random(seed)
        base, other = chance.choice(((stream, image), (image, stream), (image, image), (stream, stream)))
        data = damage(base, other, chance)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            trace, entries = converted(data, time_hz=chance.choice((None, 1000)), to_scale=chance.choice((False, True)))
            said = "converted"
            if checks.wrong_times(entries):
                said = "wrong times"
            elif len(trace.events) * 16 > len(data):
                said = "more events than bytes"
        except ValueError as error:
            said = "one line" if str(error) and "\n" not in str(error) else f"not one line: {error!r}"
        except Exception as error:  # noqa: BLE001
            said = type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        ended.setdefault(said, []).append(seed)
    command_line()
    print(f"{number} damaged: " + ", ".join(f"{said} {len(seeds)} (seed {seeds[0]})" for said, seeds in sorted(ended.items())))
    checks.check("how they end", sorted(ended), ["converted", "one line"])
    checks.end()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
