# SPDX-License-Identifier: MIT
"""Runs the images of the preemption sweep and checks what they interrupted.

sweep.py SECONDS TENTH {IMAGE BOARD SHIFT}...

An image prints one line for each failure. For each image the script checks that the interrupts left out no instruction of
the library that runs unmasked: behind an instruction that was interrupted the next one must be so too, unless a branch
decides which is the next. TENTH is the tenth of the pairs that is
swept, 1 to 10, or 0 for all. An image that runs longer than SECONDS of the processor counts as hung. The last line counts
the pairs and checks that passed and failed.
"""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "proof/masked"))
import riscv
import thumb
from program import Program

# How many failures are shown.
MAX_SHOWN = 12

# The last is RISC-V's.
MASKING = re.compile(r"cpsid i$|msr BASEPRI_MAX, |csrrci .*mstatus,8$")
CALLS = ("bl", "blx", "jal", "jalr")


def text_of(instruction):
    return instruction.text.replace("\t", " ")


class Image:
    def __init__(self, path, board, shift):
        self.path, self.board, self.shift = path, board, shift
        self.is_riscv = "-riscv-" in path
        tools, machine = ("riscv64-unknown-elf-", riscv) if self.is_riscv else ("arm-none-eabi-", thumb)
        self.program = Program(path, tools, machine)
        # The library is linked first. The watched wheel of the test is no part of it.
        titles = sorted(self.program.titles.items())
        last = max(index for index, (_, name) in enumerate(titles)
                   if re.match("tickwheel_(?!bug)|_ZN?K?9tickwheel", name) and "races" not in name)
        self.code = [one for address, one in sorted(self.program.instructions.items()) if address < titles[last + 1][0]]
        self.faults = []
        self.uart = []
        self.note = "not run"

    def run(self, seconds, tenth):
        uart = self.path + ".txt"
        open(uart, "w", encoding="ascii").close()
        emulator = ["qemu-system-riscv32", "-bios", "none"] if self.is_riscv else ["qemu-system-arm"]
        command = ["test/with_limit", str(seconds), *emulator, "-M", self.board, "-display", "none", "-monitor", "none",
                   "-serial", "file:" + uart, "-semihosting-config", f"enable=on,target=native,arg=sweep,arg={tenth}",
                   "-icount", f"shift={self.shift},align=off,sleep=off", "-kernel", self.path]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False, capture_output=True, text=True)
        self.note = done.stderr.strip()
        if done.returncode == -signal.SIGXCPU:
            self.note = f"stopped after {seconds} s of the processor"
        with open(uart, encoding="ascii", errors="replace") as file:
            self.uart = file.read().splitlines()

    def number(self, word):
        return next((int(line.split()[1]) for line in self.uart if line.startswith(word + " ")), None)

    def fault(self, what, instructions):
        for one in instructions:
            function = max(address for address in self.program.titles if address <= one.address)
            self.faults.append(f"{what} {one.address:08x} {text_of(one)}    in {self.program.titles[function]}")

    def check_interrupted(self):
        addresses = {int(line.split()[1], 16) for line in self.uart if line.startswith("interrupted ")}
        interrupted = [one for one in self.code if one.address in addresses]
        following = {address for one in interrupted for address in following_unmasked(one)}
        missed = [one for one in self.code if one.address in following - addresses]
        print(f"    instructions interrupted {len(interrupted)} of {len(self.code)}, missed {len(missed)}")
        self.fault("missed", missed)
        if not interrupted:
            self.faults.append("nothing was interrupted")

    def report(self):
        """Prints the results. Returns how many pairs and checks passed and failed."""
        for line in self.uart:
            if line.startswith("FAIL") or "fault" in line:
                print(line)
        pairs, runs = self.number("pairs"), self.number("runs")
        if pairs is None or runs is None:
            self.faults.append(f"{self.path} did not come to its end: {self.note or self.uart[-1:]}")
        else:
            print(f"{self.path}: {pairs} pairs, {runs} runs")
            self.check_interrupted()
        for fault in self.faults[:MAX_SHOWN]:
            print("FAIL " + fault)
        if len(self.faults) > MAX_SHOWN:
            print(f"FAIL and {len(self.faults) - MAX_SHOWN} more")
        return (pairs or 0) + (not self.faults), len(self.faults)


def following_unmasked(one):
    """The instruction that follows this one, behind a call the one that it returns to; none if it is masked or not sure."""
    following = set(one.successors())
    if one.name in CALLS and one.next in following:
        following = {one.next}
    return following if len(following) == 1 and not MASKING.match(text_of(one)) else set()


def main(arguments):
    seconds = int(arguments[0])
    tenth = arguments[1]
    passed = failed = 0
    images = [Image(*arguments[i:i + 3]) for i in range(2, len(arguments), 3)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for image, _ in zip(images, pool.map(lambda image: image.run(seconds, tenth), images)):
            good, bad = image.report()
            passed += good
            failed += bad
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
