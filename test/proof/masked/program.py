# SPDX-License-Identifier: MIT
"""A linked program, as binutils print it: instructions, constants, functions, and the source line of an address."""
import bisect
import os
import re
import subprocess
from pathlib import Path

NAMES = {**{f"r{n}": n for n in range(13)}, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15}
SP, LR, PC = 13, 14, 15
WORD = 0xFFFFFFFF
CONDITIONS = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")

# An instruction that stands in none of these is refused.
# These write their first operand from the others, and set the flags when an s follows.
RESULT = set("add sub rsb neg and orr orn eor bic lsl lsr asr ror rrx mul mla mls adc sbc mov mvn movw movt addw subw "
             "uxtb uxth sxtb sxth ubfx sbfx bfi bfc clz rev rev16 rbit udiv sdiv uxtab uxtah pkhbt pkhtb".split())
# These have no short form, in which the first operand is read, too.
UNARY = {"mov", "movw", "mvn", "neg", "uxtb", "uxth", "sxtb", "sxth", "clz", "rev", "rev16", "rbit"}
TWO_RESULTS = {"umull", "smull", "umlal", "smlal"}
COMPARE = {"cmp", "cmn", "tst", "teq"}
LOAD = {"ldr", "ldrd", "ldrb", "ldrh", "ldrsb", "ldrsh"}
STORE = {"str", "strd", "strb", "strh"}
LOAD_MANY = {"pop", "ldmia", "ldmdb"}
MANY = LOAD_MANY | {"push", "stmia", "stmdb"}
BRANCH = {"b", "bl", "bx", "blx", "cbz", "cbnz"}
OTHER = {"it", "nop", "isb", "dsb", "dmb", "wfi", "mrs", "msr", "cpsid", "cpsie", "udf"}
# Relocations that take no function's address, since they are of calls, branches, or the second half of an address; and
# sections that no program reads.
CALL = re.compile("CALL|JUMP|_JAL|BRANCH|_PC24|RELAX|ALIGN|NONE|PCREL_LO12")
UNUSED = ("'.rel.debug", "'.rela.debug", "'.rel.ARM.ex", "'.rela.eh_frame")
# The lines that call through a pointer which holds null or one function, and that function. Only advance() writes `jump`.
ONE_TARGET = {"taken = jump(wheel, irq);": "jump_over_blocks"}
KNOWN = RESULT | TWO_RESULTS | COMPARE | LOAD | STORE | MANY | BRANCH | OTHER


def signed(number):
    number &= WORD
    return number - (number >> 31 << 32)


class Refused(Exception):
    """The walk cannot prove what happens next."""


def split_name(text):
    """The operation, whether it sets the flags, and its condition; an unknown operation as it is."""
    text = text.partition(".")[0]
    if re.fullmatch("it[te]{0,3}", text):
        return "it", False, None
    for condition in (None, *CONDITIONS):
        name = text
        if condition:
            if not text.endswith(condition):
                continue
            name = text[:-2]
        if name in KNOWN:
            return name, name in COMPARE, condition
        if name.endswith("s") and name[:-1] in RESULT:
            return name[:-1], True, condition
    return text, False, None


def number(text):
    return int(text.lstrip("#"), 0) & WORD


def operand(text):
    """A pair: its kind, and what it is."""
    if text in NAMES:
        return "register", NAMES[text]
    if text.endswith("!") and text[:-1] in NAMES:
        return "base", NAMES[text[:-1]]
    if text.startswith("#"):
        return "number", number(text)
    if text.startswith("{") and not text[1].isdigit():
        return "list", [NAMES[one.strip()] for one in text.strip("{}").split(",")]
    if text.startswith("["):
        parts = [part.strip() for part in text.rstrip("!").strip("[]").split(",")]
        offset = 0 if len(parts) == 1 else number(parts[1]) if parts[1].startswith("#") else None
        indexes = [NAMES[parts[1].lstrip("-")]] if offset is None else []
        return "memory", (NAMES[parts[0]], offset, text.endswith("!"), indexes)
    shift = re.fullmatch(r"(lsl|lsr|asr|ror) #(\d+)", text)
    if shift:
        return "shift", (shift[1], int(shift[2]))
    place = re.fullmatch(r"([0-9a-f]+) <.*>", text)
    return ("place", int(place[1], 16)) if place else ("word", text.lower())


class Instruction:
    """One instruction, as objdump prints it."""

    def __init__(self, address, size, text):
        self.address, self.next, self.text = address, address + size, text
        # What it reads of the program counter.
        self.pc = (address + 4) & ~3
        mnemonic, _, rest = text.partition("\t")
        self.name, self.sets_flags, self.condition = split_name(mnemonic.strip())
        rest = re.split(r"\s*[@;]", rest)[0].strip()
        self.operands = [operand(one.strip()) for one in re.findall(r"(?:\{[^}]*\}|\[[^]]*\]!?|<[^>]*>|[^,])+", rest)]

    @staticmethod
    def registers(operands):
        """The numbers of all registers in them."""
        found = set()
        for kind, what in operands:
            if kind in ("register", "base"):
                found.add(what)
            elif kind == "list":
                found.update(what)
            elif kind == "memory":
                found.update([what[0], *what[3]])
        return found

    def reads_and_writes(self):
        """Which registers it reads and which it is sure to write: bits, and bit 16 for the flags. Only to drop values
        that nobody reads again: a mistake here loses precision, never a path."""
        targets = 2 if self.name in TWO_RESULTS or self.name == "ldrd" else int(self.name in RESULT | LOAD | {"mrs"})
        reads, written = self.registers(self.operands[targets:]), self.registers(self.operands[:targets])
        if self.name in LOAD_MANY:
            reads, written = self.registers(self.operands[:-1]), set(self.operands[-1][1])
        if self.name in ("bfi", "bfc", "movt", "umlal", "smlal") or len(self.operands) == 2 and self.name in RESULT - UNARY:
            reads |= written
        if self.name in ("bl", "blx"):
            written |= {LR}
            reads |= {0, 1, 2, 3}
        if self.name == "bx" or PC in written:
            reads |= set(range(12))
        if self.condition or self.name in ("adc", "sbc", "rrx"):
            reads |= {16}
        if self.sets_flags:
            written |= {16}
        if self.condition:
            written = set()
        return sum(1 << one for one in reads), sum(1 << one for one in written)

    def successors(self):
        """Where it may go on, calls followed; for the liveness of registers only."""
        target = next((what for kind, what in self.operands if kind == "place"), None)
        leaves = self.name in ("b", "bx", "udf") or self.name in LOAD_MANY and PC in self.operands[-1][1]
        found = [target] if target is not None and self.name in BRANCH else []
        return found if leaves and not self.condition else found + [self.next]


class Program:
    """An ELF file, and the module that knows its instructions."""

    def __init__(self, path, prefix, machine):
        self.path, self.prefix, self.machine = path, prefix, machine
        self.instructions, self.constants = {}, {}
        self.functions, self.entries, self.titles = {}, [], {}
        for line in self.tool("objdump", "-d", "-z", *machine.OBJDUMP).splitlines():
            title = re.fullmatch(r"([0-9a-f]+) <(.*)>:", line)
            if title and not title[2].startswith(".L"):
                self.titles[int(title[1], 16)] = title[2]
            found = re.fullmatch(r" *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)", line)
            if not found:
                continue
            address, size, text = int(found[1], 16), len(found[2].replace(" ", "")) // 2, found[3]
            if text.startswith(".word"):
                self.constants[address] = int(text.split()[1], 16)
            elif not text.startswith("."):
                self.instructions[address] = machine.Instruction(address, size, text)
        self.find_functions()
        self.targets = {what for one in self.instructions.values() for kind, what in one.operands if kind == "place"}
        self.live = self.liveness()
        self.found_frames = {}

    def tool(self, name, *arguments, text=None):
        return subprocess.run([self.prefix + name, *arguments, *(["-e"] if name == "addr2line" else []), self.path],
                              check=True, capture_output=True, text=True, input=text).stdout

    def find_functions(self):
        """All functions; and as entries those that other programs may call by name or by a pointer. It takes the second
        from the relocations, which the linker keeps with -q."""
        taken = self.taken = set()
        for line in self.tool("readelf", "-rW").splitlines():
            words = line.split()
            if line.startswith("Relocation section"):
                section = words[2]
            elif len(words) > 4 and words[2].startswith("R_") and not section.startswith(UNUSED) and not CALL.search(words[2]):
                # A pointer without a name may be to any of them.
                taken |= set(self.titles) if words[4].startswith(".text") else {int(words[3], 16) & ~1}
        for line in self.tool("objdump", "-t").splitlines():
            found = re.fullmatch(r"([0-9a-f]{8}) (.)(.).{4}(.) \.text\S*\t[0-9a-f]+ (?:\.hidden )?(.*)", line)
            if not found or int(found[1], 16) & ~1 not in self.instructions:
                continue
            if found[4] != "F" and found[2] != "g" and found[3] != "w":
                # A label.
                continue
            start, name = int(found[1], 16) & ~1, found[5]
            if name in self.functions:
                name += f" at {start:#x}"
            self.functions[name] = start
            if found[2] == "g" or start in taken and not any(target in name for target in ONE_TARGET.values()):
                self.entries.append(name)

    def predecessors(self, addresses):
        """Which of these instructions may come before each."""
        found = {}
        for address in addresses:
            for after in self.instructions[address].successors():
                found.setdefault(after, []).append(address)
        return found

    def liveness(self):
        """Per address: the registers whose values may be read later, as bits."""
        facts = {address: one.reads_and_writes() for address, one in self.instructions.items()}
        before = self.predecessors(self.instructions)
        live = dict.fromkeys(self.instructions, 0)
        waiting = list(self.instructions)
        while waiting:
            address = waiting.pop()
            reads, writes = facts[address]
            after = 0
            for one in self.instructions[address].successors():
                after |= live.get(one, 0)
            found = reads | after & ~writes
            if found != live[address]:
                live[address] = found
                waiting += before.get(address, ())
        return live

    def reaching(self, address, starts_count):
        """The instructions of its function from which it may be executed again, before one of `starts_count`."""
        starts = sorted(self.titles)
        index = bisect.bisect(starts, address)
        end = starts[index] if index < len(starts) else float("inf")
        before = self.predecessors(one for one in self.instructions if starts[index - 1] <= one < end)
        found, waiting = {address}, [address]
        while waiting:
            for one in before.get(waiting.pop(), ()):
                if one not in found and one not in starts_count:
                    found.add(one)
                    waiting.append(one)
        return found

    def frames(self):
        """Address -> (function, file, line) of the innermost inlined call, of what it is inlined into, and so on."""
        if not self.found_frames:
            addresses = list(self.instructions)
            out = self.tool("addr2line", "-a", "-f", "-C", "-i", text="\n".join(map(hex, addresses))).splitlines()
            starts = [index for index, line in enumerate(out) if line.startswith("0x")]
            for address, start, end in zip(addresses, starts, starts[1:] + [len(out)]):
                places = []
                for index in range(start + 1, end, 2):
                    file, _, line = out[index + 1].partition(" ")[0].rpartition(":")
                    places.append((out[index], os.path.normpath(file), int(line) if line.isdigit() else 0))
                self.found_frames[address] = places
        return self.found_frames

    def places(self, address):
        """The source lines of an instruction, from the innermost inlined call outwards."""
        return [f"{file.rpartition('/')[2]}:{line}" for _, file, line in self.frames().get(address, ())]

    def pointed(self, address):
        """Where a call through a pointer leads, if ONE_TARGET has its function; else None. That nothing else is stored in
        the pointer is what ONE_TARGET says, not what this proves."""
        for _, file, line in self.frames().get(address, ())[:1]:
            target = ONE_TARGET.get(Path(file).read_text().splitlines()[line - 1].strip() if line else "")
            if target:
                found = [start for name, start in self.functions.items() if target in name]
                if len(found) != 1 or found[0] not in self.taken:
                    raise Refused(f"a call through a pointer, and not one {target}() has its address taken")
                return found[0]
        return None

    def shown(self, address):
        """An instruction and its source lines, for a reader."""
        text = self.instructions[address].text.expandtabs(8) if address in self.instructions else "no code"
        return f"  {address or 0:x}  {text:40} {' < '.join(self.places(address))}"
