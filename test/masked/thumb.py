# SPDX-License-Identifier: MIT
"""What a Thumb instruction does to a state: Armv6-M and Armv7-M Architecture Reference Manuals, A6 and A7."""
import processor
from program import LOAD, LR, MANY, PC, RESULT, SELECT, SP, STORE, TWO_RESULTS, WORD, Instruction, Refused, signed
from state import BASEPRI, NO_FLAGS, PRIMASK, stack_offset

OBJDUMP = ()
REGISTERS = 15
BARRIERS_AND_HINTS = ("nop", "isb", "dsb", "dmb", "wfi", "it")


def shifted_left(one, by):
    return one << min(by & 0xFF, 32)


def shifted_right(one, by):
    return one >> min(by & 0xFF, 32)


def field_written(one, field, lowest, width):
    bits = (1 << width) - 1
    return one & ~(bits << lowest) | (field & bits) << lowest


# What an operation makes of numbers. A bit-field's own register is the first of them, the carry the last.
OPERATIONS = {
    "mov": lambda one: one, "movw": lambda one: one, "mvn": lambda one: ~one, "neg": lambda one: -one,
    "uxtb": lambda one: one & 0xFF, "uxth": lambda one: one & 0xFFFF, "clz": lambda one: 32 - one.bit_length(),
    "lsl": shifted_left, "lsr": shifted_right, "asr": lambda one, by: shifted_right(signed(one), by),
    "add": lambda one, other: one + other, "addw": lambda one, other: one + other,
    "sub": lambda one, other: one - other, "subw": lambda one, other: one - other,
    "rsb": lambda one, other: other - one, "mul": lambda one, other: one * other,
    "adc": lambda one, other, carry: one + other + carry, "sbc": lambda one, other, carry: one - other - 1 + carry,
    "mla": lambda one, other, third: one * other + third, "mls": lambda one, other, third: third - one * other,
    "and": lambda one, other: one & other, "orr": lambda one, other: one | other, "eor": lambda one, other: one ^ other,
    "bic": lambda one, other: one & ~other, "movt": lambda one, upper: one & 0xFFFF | upper << 16,
    "pkhbt": lambda one, other: one & 0xFFFF | other & 0xFFFF0000, "pkhtb": lambda one, other: one & 0xFFFF0000 | other & 0xFFFF,
    "ubfx": lambda one, lowest, width: one >> lowest & (1 << width) - 1,
    "bfi": field_written, "bfc": lambda one, lowest, width: field_written(one, 0, lowest, width),
}


class Processor(processor.Processor):
    scratch = (0, 1, 2, 3, 12, LR)

    def __init__(self, program):
        super().__init__(program)
        if any(one.name == "msr" and one.operands[0][1].startswith("basepri") for one in self.instructions.values()):
            self.masks = (PRIMASK, BASEPRI)

    def computed(self, name, values):
        """The result of an operation on constants; None when it is not one of these, or not on constants."""
        if name not in OPERATIONS or any(value.__class__ not in (int, bool) for value in values):
            return None
        return OPERATIONS[name](*values) & WORD

    def value_of(self, state, instruction, index):
        """The value of an operand, with the shift that may follow it; None when unknown."""
        kind, what = instruction.operands[index]
        if kind == "number":
            return what
        if kind != "register":
            return None
        value = instruction.pc if what == PC else state.registers[what]
        shift = instruction.operands[index + 1] if index + 1 < len(instruction.operands) else ("", None)
        if shift[0] == "word":
            # By a register.
            return None
        if shift[0] == "shift":
            way, amount = shift[1]
            return self.computed(way, [value, amount])
        return value

    def execute(self, state, instruction):
        if instruction.name in ("cbz", "cbnz"):
            return self.compare_and_branch(state, instruction)
        decided = instruction.condition is None or state.decided(instruction.condition)
        if decided:
            return self.unconditionally(state, instruction)
        if decided is False:
            state.at = instruction.next
            return None
        other = state.copy()
        state.assume(instruction.condition, True)
        other.assume(instruction.condition, False)
        other.at = instruction.next
        found = self.unconditionally(state, instruction)
        return [state, other] if found is None else [*found, other]

    def compare_and_branch(self, state, instruction):
        if_zero, target = instruction.name == "cbz", instruction.operands[1][1]
        value = state.symbol_of(instruction.operands[0][1])
        if value.__class__ is int or state.is_not_zero(value):
            state.at = target if (value == 0) == if_zero else instruction.next
            return None
        other = state.copy()
        state.learn(value, 0, True)
        other.learn(value, 0, False)
        state.at = target if if_zero else instruction.next
        other.at = instruction.next if if_zero else target
        return [state, other]

    def unconditionally(self, state, instruction):
        name, operands = instruction.name, instruction.operands
        state.at = instruction.next
        if name in RESULT:
            return self.result(state, instruction)
        if name in LOAD or name in STORE:
            return self.words(state, instruction)
        if name in MANY:
            return self.many(state, instruction)
        if name == "b":
            state.at = operands[0][1]
        elif name == "bl":
            self.keep_return(state, instruction)
            state.at = operands[0][1]
        elif name in ("bx", "blx"):
            target = state.registers[operands[0][1]]
            if name == "blx":
                self.keep_return(state, instruction)
            self.jump(state, target, instruction)
        elif name in ("cmp", "cmn", "tst", "teq"):
            self.compare(state, instruction)
        elif name in ("mrs", "msr", "cpsid", "cpsie"):
            self.mask(state, instruction)
        elif name in TWO_RESULTS:
            for _, n in operands[:2]:
                self.write(state, n, None)
        elif name in SELECT:
            self.write(state, operands[0][1], None)
        elif name == "dls":
            self.write(state, LR, state.symbol_of(operands[1][1]))
        elif name == "le":
            return self.loop_end(state, instruction)
        elif name == "udf":
            return []
        elif name not in BARRIERS_AND_HINTS:
            self.unknown(instruction)
        return None

    @staticmethod
    def loop_end(state, instruction):
        """LE counts LR down and goes back; the last time it does neither. Without LR it goes back always."""
        target = instruction.operands[-1][1]
        if len(instruction.operands) == 1:
            state.at = target
            return None
        other = state.copy()
        state.write(LR, None)
        state.at = target
        return [state, other]

    @staticmethod
    def write(state, n, value):
        if n == PC:
            raise Refused("a computed jump")
        state.write(n, value)

    # --- Arithmetic

    def result(self, state, instruction):
        name, operands = instruction.name, instruction.operands
        target = operands[0][1]
        indexes = [index for index, one in enumerate(operands) if one[0] in ("register", "number")]
        # add r0, #1 is add r0, r0, #1. A bit-field is written into what the register has.
        sources = indexes if name in ("bfi", "bfc") or len(indexes) == 2 and name not in (
            "mov", "movw", "mvn", "neg", "uxtb", "uxth", "sxtb", "sxth", "clz", "rev", "rev16", "rbit") else indexes[1:]
        values = [self.value_of(state, instruction, index) for index in sources]
        if name == "mov" and operands[1][0] == "register" and len(operands) == 2:
            if target == PC:
                self.jump(state, state.registers[operands[1][1]], instruction)
                return None
            found = state.symbol_of(operands[1][1])
        else:
            if name in ("adc", "sbc"):
                values.append(state.decided("cs"))
            found = self.computed(name, values)
            offset = stack_offset(values[0])
            if name in ("add", "addw", "sub", "subw") and offset is not None and values[1].__class__ is int:
                found = ("stack", offset + signed(values[1]) * (1 if name.startswith("add") else -1))
        if found is None and name in ("bfi", "bfc") and (name == "bfc" or values[1].__class__ is int):
            state.write_field(target, 0 if name == "bfc" else values[1], *values[-2:])
            return None
        before = state.symbol_of(operands[sources[0]][1]) if name == "sub" and instruction.sets_flags and \
            operands[sources[0]][0] == "register" and operands[sources[0]][1] < SP else None
        self.write(state, target, found)
        if instruction.sets_flags:
            # A subtraction compares. The others set N and Z by the result; C and V are not followed.
            state.flags = (before, values[1], True, ()) if before is not None and len(values) == 2 else \
                (state.symbol_of(target), 0, False, ())
        return None

    def compare(self, state, instruction):
        kind, n = instruction.operands[0]
        first = state.symbol_of(n)
        second = self.value_of(state, instruction, 1)
        plain = len(instruction.operands) == 2
        if instruction.name == "cmp":
            if plain and instruction.operands[1][0] == "register":
                second = state.symbol_of(instruction.operands[1][1])
            state.flags = (first, second, True, ())
        elif instruction.name == "tst" and plain and instruction.operands[1] == (kind, n):
            state.flags = (first, 0, False, ())
        else:
            found = self.computed("and", [first, second]) if instruction.name == "tst" else None
            state.flags = NO_FLAGS if found is None else (found, 0, False, ())

    # --- Memory

    def words(self, state, instruction):
        """LDR, STR and their like."""
        name, operands = instruction.name, instruction.operands
        index = next(n for n, one in enumerate(operands) if one[0] == "memory")
        names = [one[1] for one in operands[:index]]
        base, offset, writes_back, _ = operands[index][1]
        after = operands[index + 1][1] if len(operands) > index + 1 else None
        start = None if base == PC else stack_offset(state.registers[base])
        place = None if start is None or offset is None else start + (0 if after is not None else signed(offset))
        whole_words = name in ("ldr", "str", "ldrd", "strd")
        loaded = []
        for step, one in enumerate(names):
            if name in LOAD:
                value = None
                if whole_words and place is not None:
                    value = state.stack.get(place + 4 * step)
                    value = value[1] if value.__class__ is tuple and value[0] == "spilled" else value
                elif whole_words and base == PC and offset is not None:
                    value = self.constants.get(instruction.pc + signed(offset) + 4 * step)
                loaded.append((one, value))
            elif place is None:
                state.store_somewhere()
            elif whole_words:
                state.store(place + 4 * step, state.symbol_of(one))
            else:
                state.store(place, None)
        if writes_back or after is not None:
            moved = None if start is None else start + signed(offset if after is None else after)
            self.write(state, base, None if moved is None else ("stack", moved))
        for one, value in loaded:
            if one == PC:
                self.jump(state, value, instruction, True)
            else:
                self.write(state, one, value)
        return None

    def many(self, state, instruction):
        """PUSH, POP, LDM and STM."""
        name, operands = instruction.name, instruction.operands
        names = operands[-1][1]
        base = SP if name in ("push", "pop") else operands[0][1]
        down = name in ("push", "stmdb", "ldmdb")
        size = 4 * len(names)
        start = stack_offset(state.registers[base])
        low = None if start is None else start - size if down else start + 4 if name.endswith("ib") else start
        loaded = []
        for step, one in enumerate(names):
            if name in ("pop", "ldmia", "ldmdb", "ldmib"):
                value = None if low is None else state.stack.get(low + 4 * step)
                loaded.append((one, value[1] if value.__class__ is tuple and value[0] == "spilled" else value))
            elif low is None:
                state.store_somewhere()
            else:
                value = state.symbol_of(one)
                # A push of r0 to r3 may only make room for local variables.
                kept = base == SP and one > 3 and value.__class__ is int
                state.store(low + 4 * step, ("spilled", value) if kept else value)
        if len(operands) == 1 or operands[0][0] == "base":
            self.write(state, base, None if start is None else ("stack", low if down else start + size))
        for one, value in loaded:
            if one == PC:
                self.jump(state, value, instruction, True)
            else:
                self.write(state, one, value)
        return None

    # --- Masks

    @staticmethod
    def mask(state, instruction):
        name, operands = instruction.name, instruction.operands
        if name in ("cpsid", "cpsie"):
            if operands[0][1] != "i":
                raise Refused("a mask that is not followed")
            state.set_masks(state.masks | PRIMASK if name == "cpsid" else state.masks & ~PRIMASK)
            return
        special = operands[1 if name == "mrs" else 0][1]
        bit = {"primask": PRIMASK, "cpsr": PRIMASK, "cpsr_c": PRIMASK, "basepri": BASEPRI, "basepri_max": BASEPRI}.get(special)
        if name == "mrs":
            state.write(operands[0][1], None if bit is None else ("saved", bit, int(state.masks & bit != 0)))
            return
        if bit is None:
            raise Refused(f"a write to {special}")
        value = state.registers[operands[1][1]]
        if value.__class__ is tuple and value[0] == "saved" and value[1] == bit:
            on = value[2]
        elif value.__class__ is int:
            on = value & 1 if bit == PRIMASK else value & 0xFF
        else:
            raise Refused("the mask that is restored is unknown")
        # BASEPRI_MAX never unmasks.
        on = on or special == "basepri_max" and state.masks & bit
        state.set_masks(state.masks | bit if on else state.masks & ~bit)
