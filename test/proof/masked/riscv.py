# SPDX-License-Identifier: MIT
"""RV32IMC instructions as objdump -M no-aliases prints them, and what each does to a state: The RISC-V Instruction Set
Manual, volumes I and II. A register has its own number, but for these: sp and ra have those of the Arm walk, and change
places with a3 and a4. Register 0 is the constant 0."""
import re

import processor
from program import LR, SP, WORD, Refused, signed
from state import PRIMASK, stack_offset

ABI = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split()
SWAPPED = {1: LR, LR: 1, 2: SP, SP: 2}
NAMES = {name: SWAPPED.get(n, n) for n, name in enumerate(ABI)}
OBJDUMP = ("-M", "no-aliases")
REGISTERS = 32
ARGUMENTS = {NAMES[f"a{n}"] for n in range(8)}
# A callback may change these.
SCRATCH = ARGUMENTS | {NAMES[f"t{n}"] for n in range(7)} | {LR}
KEPT = set(range(1, REGISTERS)) - SCRATCH

# An instruction that stands in none of these is refused.
COMPUTES = set("add sub and or xor sll srl sra slt sltu mul mulh mulhu mulhsu div divu rem remu addi andi ori xori slli "
               "srli srai slti sltiu".split())
BRANCH = {"beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez"}
LOAD = {"lw", "lh", "lhu", "lb", "lbu"}
STORE = {"sw", "sh", "sb"}
JUMP = {"j", "jal", "jr", "jalr"}
STATUS = {"csrrs", "csrrsi", "csrrci"}
TRAP = {"ebreak", "unimp"}
HINTS = {"nop", "fence", "wfi"}
KNOWN = COMPUTES | BRANCH | LOAD | STORE | JUMP | STATUS | TRAP | HINTS | {"lui", "auipc", "li", "mv"}
MIE = 8


def operand(text):
    """A pair: its kind, and what it is."""
    if text in NAMES:
        return "register", NAMES[text]
    memory = re.fullmatch(r"(-?\w*)\((\w+)\)", text)
    if memory:
        return "memory", (NAMES[memory[2]], int(memory[1] or "0", 0))
    place = re.fullmatch(r"([0-9a-f]+) <.*>", text)
    if place:
        return "place", int(place[1], 16)
    return ("number", int(text, 0)) if re.fullmatch(r"-?(0x)?[0-9a-f]+", text) else ("word", text)


class Instruction:
    def __init__(self, address, size, text):
        self.address, self.next, self.text = address, address + size, text
        mnemonic, _, rest = text.partition("\t")
        self.name = mnemonic.strip().removeprefix("c.")
        rest = re.split(r"\s*#", rest)[0].strip()
        self.operands = [operand(one) for one in rest.split(",") if one]
        kinds = [kind for kind, _ in self.operands]
        # The short forms name fewer operands: their first is also their second.
        if self.name in ("addi16sp", "addi4spn"):
            self.name = "addi"
        elif self.name in ("lwsp", "swsp"):
            self.name = self.name[:2]
        if self.name in COMPUTES and len(kinds) == 2:
            self.operands.insert(1, self.operands[0])

    def target(self):
        return next((what for kind, what in self.operands if kind == "place"), None)

    def link(self):
        """The register that keeps the return address, or 0."""
        if self.name in ("jal", "jalr"):
            first = self.operands[0]
            return first[1] if first[0] == "register" and len(self.operands) == 2 else LR
        return 0

    def reads_and_writes(self):
        """Registers as bits. Only to drop values that nobody reads again: a mistake here loses precision, never a path."""
        registers = [what for kind, what in self.operands if kind == "register"]
        reads = {what[0] for kind, what in self.operands if kind == "memory"}
        written = set()
        if self.name in COMPUTES | LOAD | STATUS | {"lui", "auipc", "li", "mv"}:
            written = set(registers[:1])
            reads |= set(registers[1:])
        elif self.name in JUMP:
            written = {self.link()}
            reads |= set(registers) | (ARGUMENTS if self.link() else KEPT | ARGUMENTS)
        else:
            reads |= set(registers)
        return sum(1 << one for one in reads | {0}), sum(1 << one for one in written - {0})

    def successors(self):
        """Where it may go on, calls followed; for the liveness of registers only."""
        found = [self.target()] if self.target() is not None and self.name in BRANCH | JUMP else []
        leaves = self.name in JUMP and not self.link() or self.name in TRAP
        return found if leaves else found + [self.next]


def computed(name, first, second):
    """The result of an operation on constants; None when it is not followed."""
    amount = second & 31
    return {"add": first + second, "sub": first - second, "and": first & second, "or": first | second,
            "xor": first ^ second, "sll": first << amount, "srl": first >> amount, "sra": signed(first) >> amount,
            "slt": int(signed(first) < signed(second)), "sltu": int(first < second), "mul": first * second,
            "mulhu": first * second >> 32}.get(name)


class Processor(processor.Processor):
    scratch = SCRATCH

    def execute(self, state, instruction):
        name, operands = instruction.name, instruction.operands
        state.registers[0] = 0
        state.at = instruction.next
        if name not in KNOWN:
            self.unknown(instruction)
        if name in BRANCH:
            return self.branch(state, instruction)
        if name in COMPUTES:
            self.compute(state, instruction)
        elif name in LOAD:
            self.load(state, instruction)
        elif name in STORE:
            self.store(state, instruction)
        elif name in JUMP:
            self.leave(state, instruction)
        elif name in STATUS:
            self.status(state, instruction)
        elif name in TRAP:
            return []
        elif name == "mv":
            self.write(state, operands[0][1], state.registers[operands[1][1]])
        elif name == "li":
            self.write(state, operands[0][1], operands[1][1] & WORD)
        elif name in ("lui", "auipc"):
            upper = operands[1][1] << 12
            self.write(state, operands[0][1], (upper + (instruction.address if name == "auipc" else 0)) & WORD)
        return None

    @staticmethod
    def write(state, n, value):
        if n != 0:
            state.write(n, value)

    @staticmethod
    def value(state, one):
        return one[1] & WORD if one[0] == "number" else state.registers[one[1]]

    # --- Arithmetic and branches

    def compute(self, state, instruction):
        target, first, second = instruction.operands
        name = instruction.name
        if second[0] == "number":
            name = {"sltiu": "sltu"}.get(name, name.removesuffix("i"))
        one, other = self.value(state, first), self.value(state, second)
        found = None
        if one.__class__ is int and other.__class__ is int:
            found = computed(name, one, other)
            found = None if found is None else found & WORD
        elif name == "add" and 0 in (one, other):
            found = other if one == 0 else one
        elif name == "and" and 0 in (one, other):
            found = 0
        elif name in ("add", "sub") and stack_offset(one) is not None and other.__class__ is int:
            found = ("stack", one[1] + signed(other) * (1 if name == "add" else -1))
        elif name == "and" and other == MIE and one.__class__ is tuple and one[0] == "saved":
            found = one
        self.write(state, target[1], found)

    def branch(self, state, instruction):
        name, operands = instruction.name, instruction.operands
        first = self.value(state, operands[0])
        second = self.value(state, operands[1]) if len(operands) == 3 else 0
        name = {"beqz": "beq", "bnez": "bne"}.get(name, name)
        taken = self.decided(name, first, second)
        if taken is not None:
            state.at = instruction.target() if taken else instruction.next
            return None
        other = state.copy()
        if name in ("beq", "bne") and first is None and operands[0][0] == "register" and second.__class__ is int:
            (state if name == "beq" else other).registers[operands[0][1]] = second
        state.at = instruction.target()
        return [state, other]

    @staticmethod
    def decided(name, first, second):
        """True, False, or None when both are possible."""
        if first is not None and first == second:
            return name in ("beq", "bge", "bgeu")
        if first.__class__ is int and second.__class__ is int:
            return {"beq": False, "bne": True, "blt": signed(first) < signed(second), "bltu": first < second,
                    "bge": signed(first) >= signed(second), "bgeu": first >= second}[name]
        return None

    # --- Memory

    def load(self, state, instruction):
        (_, target), (_, (base, offset)) = instruction.operands
        start = stack_offset(state.registers[base])
        value = None
        if start is not None:
            value = state.stack.get(start + offset) if instruction.name == "lw" else None
        self.write(state, target, value)

    @staticmethod
    def store(state, instruction):
        (_, source), (_, (base, offset)) = instruction.operands
        start = stack_offset(state.registers[base])
        if start is None:
            state.store_somewhere()
        else:
            state.store(start + offset, state.registers[source] if instruction.name == "sw" else None)

    # --- Jumps and the mask

    def leave(self, state, instruction):
        link = instruction.link()
        if instruction.target() is not None:
            target = instruction.target()
        else:
            kind, what = instruction.operands[-1]
            base, offset = what if kind == "memory" else (what, 0)
            target = state.registers[base]
            if target.__class__ is int:
                target = target + offset & WORD
        if link:
            if link != LR:
                raise Refused("a return address in another register than ra")
            self.keep_return(state, instruction)
        self.jump(state, target, instruction)

    def status(self, state, instruction):
        """CSRRCI masks, CSRRS and CSRRSI unmask, where the bit of MIE is set."""
        name, (target, register, source) = instruction.name, instruction.operands
        if register[1] != "mstatus":
            raise Refused(f"a write to {register[1]}")
        value = self.value(state, source)
        before = ("saved", PRIMASK, int(state.masks & PRIMASK != 0))
        if value.__class__ is tuple and value[0] == "saved":
            has_bit = not value[2]
        elif value.__class__ is int:
            has_bit = value & MIE != 0
        else:
            raise Refused("the mask that is restored is unknown")
        if has_bit:
            state.set_masks(state.masks | PRIMASK if name == "csrrci" else state.masks & ~PRIMASK)
        self.write(state, target[1], before)
