# SPDX-License-Identifier: MIT
"""Runs the images of the preemption sweep and checks what they interrupted.

sweep.py SECONDS TENTH {IMAGE MACHINE SHIFT}...

An image prints one line for each failure. For each image the script checks that every
instruction of the library was executed, as QEMU's log of translated code tells, and that
none which runs unmasked was left out by the interrupts: behind an instruction that was
interrupted the next one must be so too. It checks the barriers of the locks in the
disassembly. With a TENTH of the pairs, 1 to 10, instructions that only
other pairs execute are no failures; 0 stands for all pairs. An image that runs longer
than SECONDS of the processor counts as hung. The last line counts the pairs and checks that passed and
failed.
"""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys

# Why no scenario executes some instructions of these functions. Those of all others must be executed.
PREPARATION = "of preparation"
BOUND = "of next_expiry's bound after sixteen attempts, of the search with a limit, and of other geometries"
SMALLER = "of other geometries, or for a delay and a lag that are both almost 2^31"
SAME = "of a body that tickwheel_mod_timer() has too, at -O2"
NOT_EXECUTED = {
    "tickwheel_init": PREPARATION,
    "tickwheel_timer_setup": PREPARATION,
    "tickwheel_next_expiry": BOUND,
    "answer": BOUND,
    "walk": BOUND,
    "walk_slot": BOUND,
    "marked_after": SMALLER,
    "end_block": SMALLER,
    "distance_to_cascade": SMALLER,
    "cascade": SMALLER,
    "cascade_block": SMALLER,
    "tickwheel_mod_timer": SMALLER,
    "tickwheel_mod_timer_pending": SAME,
    "tickwheel_mod_timer_idle": SAME,
    "tickwheel_timer_reduce": SAME,
    "tickwheel_add_timer": SAME,
}

# The most failures that are shown.
MOST_SHOWN = 12

MASKING = re.compile(r"cpsid i$|msr BASEPRI_MAX, ")
UNMASKING = re.compile(r"msr (PRIMASK|BASEPRI), |cpsie i$")
CONDITION = "(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?"
BRANCH = re.compile(rf"(b|bl|bx|blx){CONDITION}(\.[nw])? |cbn?z |tb[bh] |(pop|ldm).*\bpc\b|ldr(\.w)? pc, ")
# The same of RISC-V. MASKING and UNMASKING count the locks there.
RISCV_MASKING = re.compile(r"csrrci .*mstatus,8$")
RISCV_UNMASKING = re.compile(r"csrrs zero,mstatus,")
# Does not go on to the next instruction.
JUMP = re.compile(r"bx? |b\.[nw] |tb[bh] |(pop|ldm).*\bpc\b|ldr(\.w)? pc, |c\.jr? |jalr? zero,")
CALL = re.compile(r"blx? |c\.jalr? |jalr? ra,")
RISCV_BRANCH = re.compile(r"(c\.)?b(eq|ne|lt|ge)u?z? ")
# Reads or writes memory.
ACCESS = re.compile(r"(ld|st|push|pop)")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_riscv(image):
    """Whether its name says so: .../sweep-riscv-O2.elf."""
    return "-riscv-" in image


def prefix_of(image):
    return "riscv64-unknown-elf-" if is_riscv(image) else "arm-none-eabi-"


def disassembly(image):
    """Address -> text, of every instruction."""
    options = ["-M", "no-aliases"] if is_riscv(image) else []
    listing = output(prefix_of(image) + "objdump", "-d", "--no-show-raw-insn", *options, image)
    lines = re.findall(r"^\s*([0-9a-f]+):\t([^.].*)", listing, re.M)
    return {int(address, 16): text.replace("\t", " ") for address, text in lines}


def library(image):
    """The begin and the end of the library's code, and its functions by address. Members have their short names."""
    functions = {}
    end = 0
    for line in output(prefix_of(image) + "nm", "-S", "-C", image).splitlines():
        match = re.match(r"([0-9a-f]+) ([0-9a-f]+) [tTwW] (?:\w+ )?(tickwheel(?:_|::).*)", line)
        # The watched wheel of the test is no part of it.
        if match and not match[3].startswith("tickwheel_bug") and "races::" not in match[3]:
            address = int(match[1], 16) & ~1
            member = re.search(r"(\w+)(?:<[^<>()]*>)?\(", match[3])
            functions[address] = member[1] if member else match[3]
            end = max(end, address + int(match[2], 16))
    return min(functions), end, functions


class Image:
    def __init__(self, path, machine, shift):
        self.path = path
        self.machine = machine
        self.shift = shift
        self.instructions = disassembly(path)
        self.begin, self.end, self.functions = library(path)
        self.code = [address for address in sorted(self.instructions) if self.begin <= address < self.end]
        self.next = dict(zip(self.code, [*self.code[1:], self.end]))
        self.faults = []
        self.uart = []
        self.executed = set()
        self.note = "not run"

    def run(self, seconds, tenth):
        """Does not run an image whose locks are wrong."""
        self.check_locks()
        if self.faults:
            return
        uart = self.path + ".txt"
        translated = self.path + ".translated"
        for name in (uart, translated):
            open(name, "w", encoding="ascii").close()
        emulator = ["qemu-system-riscv32", "-bios", "none"] if is_riscv(self.path) else ["qemu-system-arm"]
        command = ["test/with_limit", str(seconds), *emulator, "-M", self.machine, "-display", "none", "-monitor", "none",
                   "-serial", "file:" + uart, "-semihosting-config", f"enable=on,target=native,arg=sweep,arg={tenth}",
                   "-icount", f"shift={self.shift},align=off,sleep=off",
                   "-d", "in_asm", "-dfilter", f"{self.begin:#x}..{self.end - 1:#x}", "-D", translated,
                   "-kernel", self.path]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False, capture_output=True, text=True)
        self.note = done.stderr.strip()
        if done.returncode == -signal.SIGXCPU:
            self.note = f"stopped after {seconds} s of the processor"
        with open(uart, encoding="ascii", errors="replace") as file:
            self.uart = file.read().splitlines()
        with open(translated, encoding="ascii", errors="replace") as file:
            self.executed = {int(address, 16) for address in re.findall(r"^0x([0-9a-f]+):", file.read(), re.M)}

    def numbers(self, word):
        return next(([int(part) for part in line.split()[1:]] for line in self.uart if line.startswith(word + " ")), None)

    def is_whole(self):
        return self.numbers("tenth") == [0]

    def function(self, address):
        return self.functions[max(function for function in self.functions if function <= address)]

    def fault(self, what, addresses):
        for address in sorted(addresses):
            text = self.instructions.get(address, "no instruction")
            self.faults.append(f"{what} {address:08x} {text}    in {self.function(address)}")

    def following(self, address, both_ways):
        """Where the library goes on unmasked behind this instruction: behind a branch, one way or both."""
        text = self.instructions[address]
        target = re.search(r"([0-9a-f]+) <", text)
        ways = {int(target[1], 16)} if target else set()
        if MASKING.match(text) or RISCV_MASKING.match(text):
            return set()
        if CALL.match(text):
            return {self.next[address]}
        if JUMP.match(text):
            return ways & self.instructions.keys()
        if BRANCH.match(text) or RISCV_BRANCH.match(text):
            return ways | {self.next[address]} if both_ways else set()
        return {self.next[address]}

    def all_following(self, addresses, both_ways):
        following = (self.following(address, both_ways) for address in addresses & self.instructions.keys())
        return set(self.code).intersection(set().union(*following))

    def check_interrupted(self):
        interrupted = {int(line.split()[1], 16) for line in self.uart if line.startswith("interrupted ")}
        interrupted = {address for address in interrupted if self.begin <= address < self.end}
        code = {address for address in self.code if not self.instructions[address].startswith("nop")}
        missed = self.all_following(interrupted, False) - interrupted
        # Some code only runs behind an interrupt, so it takes a second one.
        if self.is_whole() and self.numbers("interrupts") == [2]:
            missed |= {address for address in self.all_following(interrupted, True) - interrupted
                       if self.function(address) not in NOT_EXECUTED}
        print(f"    instructions executed {len(code & self.executed)} of {len(code)}, interrupted {len(interrupted)},"
              f" missed {len(missed)}")
        self.check_not_executed(code - self.executed)
        self.fault("missed", missed)
        self.fault("interrupted, and not seen executed", interrupted - self.executed)
        self.fault("not in the disassembly:", interrupted - self.instructions.keys())
        if not interrupted:
            self.faults.append("nothing was interrupted")

    def check_not_executed(self, addresses):
        tally = dict.fromkeys(NOT_EXECUTED.values(), 0)
        for address in addresses:
            why = NOT_EXECUTED.get(self.function(address))
            if why is not None:
                tally[why] += 1
            elif self.is_whole():
                self.fault("not executed", [address])
        reasons = ", ".join(f"{count} {why}" for why, count in tally.items() if count)
        print(f"    {len(addresses)} not executed: {reasons}")

    def check_locks(self):
        """A raised BASEPRI works only after the barriers that follow it. An unmasking and the next masking must have an
        ISB between them, or a pending interrupt may not be taken there. This checks the code up to the next branch. A
        RISC-V core takes a pending interrupt right after the write that unmasks it."""
        self.locks = 0
        if is_riscv(self.path):
            texts = [self.instructions[address] for address in self.code]
            self.locks = sum(bool(RISCV_MASKING.match(text) or RISCV_UNMASKING.match(text)) for text in texts)
        for i, address in enumerate(self.code):
            text = self.instructions[address]
            following = (self.instructions[behind] for behind in self.code[i + 1:])
            if text.startswith("msr BASEPRI_MAX, "):
                self.locks += 1
                if not barriers_follow(following):
                    self.fault("no dsb and isb before the next access:", [address])
            if UNMASKING.match(text):
                self.locks += 1
                if masks_without_isb(following):
                    self.fault("no isb before interrupts are masked again:", [address])
        if self.locks == 0:
            self.faults.append("no lock was found")

    def report(self):
        """Prints the results. Returns how many pairs and checks passed and failed."""
        for line in self.uart:
            if line.startswith("FAIL") or "fault" in line:
                print(line)
        pairs = self.numbers("pairs")
        runs = self.numbers("runs")
        passed = 0
        if pairs is None or runs is None:
            self.faults.append(f"{self.path} did not come to its end: {self.note or self.uart[-1:]}")
        else:
            passed = pairs[0]
            print(f"{self.path}: {passed} pairs, {runs[0]} runs\n    locks checked {self.locks}")
            self.check_interrupted()
        for fault in self.faults[:MOST_SHOWN]:
            print("FAIL " + fault)
        if len(self.faults) > MOST_SHOWN:
            print(f"FAIL and {len(self.faults) - MOST_SHOWN} more")
        return passed + (not self.faults), len(self.faults)


def barriers_follow(code):
    seen = set()
    for text in code:
        seen |= {"dsb", "isb"} & {text.split()[0]}
        if seen == {"dsb", "isb"}:
            return True
        if ACCESS.match(text) or BRANCH.match(text):
            return False
    return False


def masks_without_isb(code):
    for text in code:
        if text.startswith("isb") or BRANCH.match(text):
            return False
        if MASKING.match(text):
            return True
    return False


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
