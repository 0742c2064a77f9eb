#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the measured figures into the pages. With --check it only compares.

figures.py [--check] DIRECTORY

DIRECTORY is build/bench, with the output of bench, size and size-features, and fuzz.txt. Each block below stands on exactly
one page, between its markers:

    <!-- figures: promises -->  ...  <!-- end of figures -->

Each phrase stands in its block exactly once. The script writes only the number at each {}. The other words are the author's.
"""

import csv
import re
import sys
from pathlib import Path

import masked
from counts import average
from features import features
from limits import compiler, limits, version, version_found

pages = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
directory = Path(sys.argv[-1])
peers = list(csv.DictReader((directory / "peers" / "peers.csv").read_text().splitlines()))
cpus = {"cortex-m0": "M0", "cortex-m0plus": "M0+", "cortex-m3": "M3", "cortex-m4": "M4", "cortex-m7": "M7",
        "cortex-m23": "M23", "cortex-m33": "M33", "cortex-m55": "M55"}


def row(label, names):
    """A row of a table."""
    return f"| {label} | " + " | ".join(["{}"] * len(names)) + " |", names


# The columns that both tables of peers have.
work = ("1000.arm", "1000.cancel", "1000.move", "1000.far_tick", "1000.busy_tick", "10000.busy_tick", "1000.timeout",
        "1000.short_timeout", "10000.worst_tick", "10000.burst_tick", "10000.masked")

# marker -> [(phrase, the figure of each {})]
blocks = {
    "promises": [
        ("{} random expiries on a PC: {} early, {} late, {} out of order",
         ["fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"]),
        ("masks at most {} instructions on a Cortex-M3, {} on a Cortex-M0", ["M3 GCC -Os.wheel", "M0 GCC -Os.wheel"]),
        ("At 48 MHz without wait states that is {} us on an M0, {} us on an M0+", ["masked.us.M0", "masked.us.M0+"]),
        ("{} bytes of RAM and {} a timer. At -Os you link {} bytes on a Cortex-M3, {} on a Cortex-M0",
         ["ram.wheel", "ram.timer", "linked.cortex-m3-Os", "linked.cortex-m0-Os"]),
        ("the first callback still starts {} instructions after its tick", ["tickwheel_wheel.10000.crowd_callback"]),
    ],
    "instructions": [("arm-none-eabi-g++ {}", ["version"])] + [
        row(label, [f"{each}.{name}" for each in ("cortex-m3-O2", "goal.cortex-m3-O2", "cortex-m3-Os", "cortex-m0-O2",
                                                  "goal.cortex-m0-O2", "cortex-m0-Os")])
        for label, name in (
            ("arm, average", "arm.average"), ("arm, most", "arm.most"), ("cancel, average", "cancel.average"),
            ("cancel, most", "cancel.most"), ("move while pending, average", "restart.average"),
            ("move while pending, most", "restart.most"), ("tick, nothing due", "idle-tick.far-ahead"),
            ("tick, nothing due, most", "idle-tick.most"), ("tick, 1000 periodic timers", "busy-tick.1000"),
            ("tick, 10 000 periodic timers", "busy-tick.10000"), ("worst tick, 10 000 periodic timers", "busy-tick.10000.most"),
            ("longest tick before 10 000 timers of one slot", "crowd.tick"),
            ("from their first tick to its callback", "crowd.callback"), ("a long time-out: arm, 0.9 cancel, 0.1 tick", "timeouts.pair"),
            ("a short time-out, the same", "short-timeouts.pair"), ("run after up to 2^28 empty ticks, most", "catch-up"),
            ("cascade from tv2, each timer", "cascade.tv2"), ("cascade from tv3, each timer", "cascade.tv3"),
            ("run_budget(1), most", "budget.1"), ("run_budget(16), most", "budget.16"),
            ("run_budget(64), most", "budget.64"), ("next_event, most", "next-event"), ("interrupts masked", "masked"),
            ("interrupts masked in next_event", "masked.next-event"))
    ],
    "cycles": [
        (f"| {label} | " + " | ".join(["{} ({})", "{} ({})", "{}", "{}"] * 2) + " |", [
            f"cortex-m0-{level}.{core}.{name}.{what}" for level in ("O2", "Os") for core, what in (
                ("m0", "average"), ("m0", "most"), ("m0plus", "average"), ("m0plus", "most"), ("m0plus", "us-48"),
                ("m0plus", "us-125"))])
        for label, name in (("arm", "arm"), ("cancel", "cancel"), ("move while pending", "restart"),
                            ("tick, nothing due", "far_tick"), ("next_event", "event"))],
    "bytes": [
        row(label, [f"text.{cpu}-Os", f"text.{cpu}-O2"]) for cpu, label in cpus.items()
    ] + [
        row("arm, cancel, tick and run, as linked", ["linked.cortex-m3-Os", "goal.linked.cortex-m3-Os",
                                                     "linked.cortex-m0-Os", "goal.linked.cortex-m0-Os"]),
        ("at most {} bytes on the M3 and {} on the M0", ["M3 GCC -O2.stack", "M0 GCC -O2.stack"]),
        ("RAM is {} bytes", ["ram.wheel"]),
        ("smaller wheel {} bytes", ["ram.wheel-6-4"]),
        ("a timer {}.", ["ram.timer"]),
    ],
    "choice": [row(f"{peer['n']} | {peer['name']}", [f"{peer['system']}.{peer['n']}.{column}" for column in (
        "arm", "cancel", "far_tick", "masked", "worst_tick")]) for peer in peers if peer["cpu"] == "cortex-m3"],
    "field": [row(peer["name"], [f"{peer['system']}.{column}" for column in (*work, "1000.bytes", "1000.bytes_per_timer")])
              for peer in peers if (peer["cpu"], peer["n"]) == ("cortex-m3", "1000")],
    "field-m0": [row(peer["name"], [f"cortex-m0.{peer['system']}.{column}" for column in work])
                 for peer in peers if (peer["cpu"], peer["n"]) == ("cortex-m0", "1000")],
    "cores": [row(label, [f"{wheel}-{level}.{name}" for level in ("Os", "O2") for wheel in ("one", "own")]) for label, name in (
        ("a delete of an idle timer", "idle-delete.average"), ("a tick with nothing due", "idle-tick.average"),
        ("an arm, average", "arm.average"), ("an arm, most", "arm.most"), ("a cancel, average", "cancel.average"),
        ("a cancel, most", "cancel.most"), ("the longest masked section of these", "arm.masked"))],
    "features": [row(label, [f"features.{name}.{what}" for what in ("m3", "m0", "ram")]) for name, label, *_ in features],
}
# The page chooses the rows of these.
selective = ("choice", "features")
number = r"(-?\d+(?: \d{3})*(?:\.\d+)*|-)"


def pattern(phrase):
    """Matches the phrase however its words are spaced and wrapped."""
    return number.join(r"\s+".join(re.escape(word) for word in part.split(" ")) for part in phrase.split("{}"))


def shown(value):
    """10 000.5, but 9999."""
    whole, point, rest = value.partition(".")
    return f"{int(whole):,}".replace(",", " ") + point + rest if whole.isdigit() and len(whole) > 4 else value


def read():
    measured = {"version": version}
    # `make masked` proves these, and writes them into a table.
    for (core, *build), parts in masked.read()[1].items():
        measured.update((f"{' '.join([core.partition(',')[0], *build]).strip()}.{part}", value) for part, value in parts.items())
    # `make worst` proves the cycles. At -Os, the fourth and fifth figure.
    for core, column in (("M0", 4), ("M0+", 5)):
        measured[f"masked.us.{core}"] = average(int(masked.worst("interrupts masked")[column]), 48)
    for name in ("figures", "cycles", "size/figures", "size/details", "features/figures", "cores/figures"):
        measured.update(line.split() for line in (directory / name).read_text().splitlines())
    for name, (goal, _) in limits.items():
        measured[f"goal.{name}"] = "-" if goal is None else str(goal)
    for peer in peers:
        name = f"{'' if peer['cpu'] == 'cortex-m3' else peer['cpu'] + '.'}{peer['system']}.{peer['n']}"
        measured.update((f"{name}.{column}", value or "-") for column, value in peer.items())
    random_run = re.search(r"geometry 8/6, .*: \d+ operations, (\d+) fired, .* (\d+) early, (\d+) late, (\d+) out of order",
                           (directory / "fuzz.txt").read_text())
    measured.update(zip(("fuzz.fired", "fuzz.early", "fuzz.late", "fuzz.out-of-order"), random_run.groups()))
    return measured


def block_of(name, texts):
    """The page of a block, and where on it the block begins and ends."""
    found = [(page, match.span()) for page, text in texts.items()
             for match in re.finditer(rf"<!-- figures: {name} -->.*?<!-- end of figures -->", text, re.S)]
    if len(found) != 1:
        sys.exit(f"figures.py: the block {name} stands {len(found)} times on {', '.join(map(str, texts))}, not once")
    return found[0]


def figures_in(texts):
    """The page of each figure, where its number stands, and its name."""
    for block, phrases in blocks.items():
        page, (start, end) = block_of(block, texts)
        rows = len(re.findall(r"^\|", texts[page][start:end], re.M)) - len(("heading", "rule"))
        for phrase, names in phrases:
            found = list(re.compile(pattern(phrase)).finditer(texts[page], start, end))
            if len(found) > 1 or (not found and block not in selective):
                sys.exit(f"figures.py: {page}, {block}: '{phrase}' stands there {len(found)} times, not once")
            rows -= len(found)
            for match in found:
                yield from ((page, match.span(i + 1), name) for i, name in enumerate(names))
        if block in selective and rows != 0:
            sys.exit(f"figures.py: {page}, {block}: a row has a name that nothing measures")


def main():
    found = version_found()
    if found != version:
        print(f"(the pages have the figures of {compiler} {version}; this is {found}: left alone)")
        return
    measured = read()
    texts = {page: page.read_text() for page in pages}
    stale = []
    for page, (start, end), name in sorted(figures_in(texts), reverse=True):
        old, new = texts[page][start:end], shown(measured[name])
        if old != new:
            stale.append(f"{page}: {name} is {new}, not {old}")
            texts[page] = texts[page][:start] + new + texts[page][end:]
    if stale and sys.argv[1] == "--check":
        sys.exit("\n".join([*reversed(stale), f"figures.py: {len(stale)} figures are stale, run make figures"]))
    for page, text in texts.items():
        if text != page.read_text():
            page.write_text(text)
    print(f"pages: {f'{len(stale)} figures changed' if stale else 'the figures are those measured'}")


if __name__ == "__main__":
    main()
