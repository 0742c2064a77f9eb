# SPDX-License-Identifier: MIT
"""Runs the preemption sweep's images and checks what they interrupted.

sweep.py PLUGIN {IMAGE MACHINE SHIFT}...: one line of failures each, then for each image
whether every instruction that the library executed unmasked was interrupted too, against
the disassembly. The last line counts the pairs that passed and failed.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

TIME_LIMIT = 900
OBJDUMP = "arm-none-eabi-objdump"
NM = "arm-none-eabi-nm"
# How many instructions there may be at which a timer is off the wheel and its callback not yet entered: between the
# runner's unlocking and its branch. Each one that a compiler adds there would lengthen what cannot be closed.
MOST_POPPED = 1


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def disassembly(image):
    """Address -> text, of every instruction."""
    lines = {}
    for line in output(OBJDUMP, "-d", "--no-show-raw-insn", image).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(.*)", line)
        if match and not match[2].startswith("."):
            lines[int(match[1], 16)] = match[2].replace("\t", " ")
    return lines


def library(image):
    """Where the library's code begins and ends, and its functions by address."""
    functions = {}
    end = 0
    for line in output(NM, "-S", "-C", image).splitlines():
        match = re.match(r"([0-9a-f]+) ([0-9a-f]+) [tTwW] (tickwheel(?:_|::).*)", line)
        if match and not match[3].startswith("tickwheel_bug"):
            address = int(match[1], 16) & ~1
            functions[address] = match[3]
            end = max(end, address + int(match[2], 16))
    return min(functions), end, functions


class Image:
    def __init__(self, path, machine, shift):
        self.path = path
        self.machine = machine
        self.shift = shift
        self.instructions = disassembly(path)
        self.begin, self.end, self.functions = library(path)

    def run(self, plugin):
        uart = self.path + ".txt"
        trace = self.path + ".executed"
        for name in (uart, trace):
            open(name, "w", encoding="ascii").close()
        command = ["qemu-system-arm", "-M", self.machine, "-display", "none", "-monitor", "none",
                   "-serial", "file:" + uart, "-semihosting-config", "enable=on,target=native",
                   "-icount", f"shift={self.shift},align=off,sleep=off",
                   "-plugin", f"{plugin},out={trace},from={self.begin:x},to={self.end:x}", "-kernel", self.path]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=TIME_LIMIT, check=False,
                                  capture_output=True, text=True)
            self.note = done.stderr.strip()
        except subprocess.TimeoutExpired:
            self.note = f"stopped after {TIME_LIMIT} s"
        with open(uart, encoding="ascii", errors="replace") as file:
            self.uart = file.read().splitlines()
        with open(trace, encoding="ascii") as file:
            self.trace = file.read().splitlines()

    def addresses(self, lines, word):
        """Those within the library of the lines that begin with this word."""
        found = {int(line.split()[1], 16) for line in lines if line.startswith(word + " ")}
        return {address for address in found if self.begin <= address < self.end}

    def number(self, word):
        for line in self.uart:
            if line.startswith(word + " "):
                return [int(part) for part in line.split()[1:]]
        return None

    def where(self, address):
        start = max(function for function in self.functions if function <= address)
        return f"{address:08x} {self.instructions.get(address, 'no instruction')}    in {self.functions[start]}"

    def judge(self):
        """Prints what came of it. Returns how many pairs and checks passed and failed."""
        faults = []
        for line in self.uart:
            if line.startswith("FAIL") or "fault" in line:
                print(line)
        pairs = self.number("pairs")
        runs = self.number("runs")
        if pairs is None or runs is None:
            print(f"{self.path}: did not come to its end: {self.note or self.uart[-1:]}")
            return 0, 1
        passed, failed = pairs
        before = self.addresses(self.trace, "before")
        behind = self.addresses(self.trace, "behind") - before
        interrupted = self.addresses(self.uart, "interrupted")
        popped = self.addresses(self.uart, "popped")
        again = self.addresses(self.uart, "again")
        missed = before - interrupted
        missed_behind = behind - interrupted - again
        print(f"{self.path}: {passed + failed} pairs, {runs[0]} runs")
        print(f"    unmasked instructions executed {len(before)}, interrupted {len(interrupted)}, missed {len(missed)}")
        print(f"    executed only behind an interrupt {len(behind)}, interrupted {len(behind) - len(missed_behind)},"
              f" missed {len(missed_behind)}; popped and not yet called at {len(popped)}")
        for address in sorted(missed):
            faults.append("missed " + self.where(address))
        for address in sorted(missed_behind):
            faults.append("missed behind an interrupt " + self.where(address))
        for address in sorted((interrupted - before) | (again - before - behind)):
            faults.append("interrupted, and not seen executed " + self.where(address))
        for address in sorted((before | behind | interrupted | again) - self.instructions.keys()):
            faults.append("not in the disassembly: " + self.where(address))
        if not before:
            faults.append("nothing was executed")
        if len(popped) > MOST_POPPED:
            faults += ["popped and not yet called " + self.where(address) for address in sorted(popped)]
        for fault in faults:
            print("FAIL " + fault)
        for address in sorted(popped):
            print("    popped: " + self.where(address))
        return passed + (not faults), failed + len(faults)


def main(arguments):
    plugin = arguments[0]
    passed = failed = 0
    images = [Image(*arguments[i:i + 3]) for i in range(1, len(arguments), 3)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for image, _ in zip(images, pool.map(lambda image: image.run(plugin), images)):
            good, bad = image.judge()
            passed += good
            failed += bad
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
