# SPDX-License-Identifier: MIT
"""What a Thumb instruction does to a state: Armv6-M and Armv7-M Architecture Reference Manuals, A6 and A7."""
import processor
from program import LOAD, LOAD_MANY, LR, MANY, PC, RESULT, SP, STORE, TWO_RESULTS, UNARY, WORD, Instruction, Refused, signed
from state import BASEPRI, NO_FLAGS, PRIMASK, stack_offset

OBJDUMP = ()
REGISTERS = 15
BARRIERS_AND_HINTS = ("nop", "isb", "dsb", "dmb", "wfi", "it")


def field_written(one, field, lowest, width):
    bits = (1 << width) - 1
    return one & ~(bits << lowest) | (field & bits) << lowest


# What an operation makes of numbers. A bit-field's own register is the first of them, the carry the last.
OPERATIONS = {
    "mov": lambda one: one, "movw": lambda one: one, "mvn": lambda one: ~one, "neg": lambda one: -one,
    "uxtb": lambda one: one & 0xFF, "uxth": lambda one: one & 0xFFFF, "clz": lambda one: 32 - one.bit_length(),
    "lsl": lambda one, by: one << (by & 0xFF), "lsr": lambda one, by: one >> (by & 0xFF),
    "asr": lambda one, by: signed(one) >> (by & 0xFF),
    "add": lambda one, other: one + other, "addw": lambda one, other: one + other,
    "sub": lambda one, other: one - other, "subw": lambda one, other: one - other,
    "adc": lambda one, other, carry: one + other + carry, "sbc": lambda one, other, carry: one - other - 1 + carry,
    "rsb": lambda one, other: other - one, "mul": lambda one, other: one * other,
    "and": lambda one, other: one & other, "orr": lambda one, other: one | other, "eor": lambda one, other: one ^ other,
    "bic": lambda one, other: one & ~other, "movt": lambda one, upper: one & 0xFFFF | upper << 16,
    "ubfx": lambda one, lowest, width: one >> lowest & (1 << width) - 1,
    "bfi": field_written,
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
            operation, amount = shift[1]
            return self.computed(operation, [value, amount])
        return value

    @staticmethod
    def branches(state, condition):
        """The states that may follow, this one first, and whether the condition holds in each."""
        decided = condition is None or state.decided(condition)
        if decided is not None:
            return [(state, decided)]
        other = state.copy()
        state.assume(condition, True)
        other.assume(condition, False)
        return [(state, True), (other, False)]

    def execute(self, state, instruction):
        if instruction.name in ("cbz", "cbnz"):
            return self.compare_and_branch(state, instruction)
        found = None
        (_, holds), *skipped = self.branches(state, instruction.condition)
        if holds:
            found = self.unconditionally(state, instruction)
        else:
            state.at = instruction.next
        for other, _ in skipped:
            other.at = instruction.next
            found = [*([state] if found is None else found), other]
        return found

    def compare_and_branch(self, state, instruction):
        """It keeps the flags."""
        (_, register), (_, target) = instruction.operands
        flags, state.flags = state.flags, (state.registers[register], 0, False, (), register)
        branches = self.branches(state, "eq" if instruction.name == "cbz" else "ne")
        for branch, holds in branches:
            branch.at, branch.flags = target if holds else instruction.next, flags
        return [branch for branch, _ in branches] if len(branches) > 1 else None

    def unconditionally(self, state, instruction):
        name, operands = instruction.name, instruction.operands
        state.at = instruction.next
        if name in RESULT:
            self.result(state, instruction)
        elif name in LOAD or name in STORE or name in MANY:
            self.memory(state, instruction)
        elif name == "b":
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
        elif name == "udf":
            return []
        elif name == "wfi" and state.masks & BASEPRI & ~self.masks_of_caller:
            # What BASEPRI masks does not end it: H6 of port/cortex_m_systick/DESIGN.md.
            raise Refused("a WFI while BASEPRI is raised")
        elif name not in BARRIERS_AND_HINTS:
            self.unknown(instruction)
        return None

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
        sources = indexes if name == "bfi" or len(indexes) == 2 and name not in UNARY else indexes[1:]
        values = [self.value_of(state, instruction, index) for index in sources]
        if name == "mov" and operands[1][0] == "register" and len(operands) == 2:
            found = state.registers[operands[1][1]]
        else:
            if name in ("adc", "sbc"):
                values.append(state.decided("cs"))
            found = self.computed(name, values)
            offset = stack_offset(values[0])
            if name in ("add", "addw", "sub", "subw") and offset is not None and values[1].__class__ is int:
                found = ("stack", offset + signed(values[1]) * (1 if name.startswith("add") else -1))
        self.write(state, target, found)
        if instruction.sets_flags:
            # A subtraction compares, and a negation compares 0. The others set N and Z by the result; C and V are not followed.
            first = operands[sources[0]][1]
            state.flags = (*values, True, (), first if first != target else None) if name == "sub" else \
                (0, *values, True, (), None) if name == "neg" else (state.registers[target], 0, False, (), target)

    def compare(self, state, instruction):
        register = instruction.operands[0][1]
        first, second = state.registers[register], self.value_of(state, instruction, 1)
        if instruction.name == "cmp":
            state.flags = (first, second, True, (), register)
        elif instruction.name in ("tst", "teq"):
            state.flags = (self.computed("and" if instruction.name == "tst" else "eor", [first, second]), 0, False, (), None)
        else:
            state.flags = NO_FLAGS

    # --- Memory

    def memory(self, state, instruction):
        """Loads and stores of one register or of several."""
        name, operands = instruction.name, instruction.operands
        whole_words = name in MANY or name in ("ldr", "str", "ldrd", "strd")
        if name in MANY:
            names = operands[-1][1]
            base = SP if name in ("push", "pop") else operands[0][1]
            moves_base = len(operands) == 1 or operands[0][0] == "base"
            size = 4 * len(names)
            offset, move = (-size, -size) if name in ("push", "stmdb", "ldmdb") else (0, size)
        else:
            index = next(n for n, one in enumerate(operands) if one[0] == "memory")
            names = [one[1] for one in operands[:index]]
            base, offset, moves_base, _ = operands[index][1]
            move = offset
            if len(operands) > index + 1:
                offset, move, moves_base = 0, operands[index + 1][1], True
        start = None if base == PC else stack_offset(state.registers[base])
        place = None if start is None or offset is None else start + signed(offset)
        loaded = []
        for step, one in enumerate(names):
            if name in LOAD or name in LOAD_MANY:
                value = None
                if whole_words and place is not None:
                    value = state.stack.get(place + 4 * step)
                    value = value[1] if value.__class__ is tuple and value[0] == "pushed" else value
                elif whole_words and base == PC and offset is not None:
                    value = self.constants.get(instruction.pc + signed(offset) + 4 * step)
                loaded.append((one, value))
            elif place is None:
                state.store_somewhere()
            else:
                value = state.registers[one] if whole_words else None
                # A push of r0 to r3 may only make room for local variables.
                if name in MANY and base == SP and one > 3 and value.__class__ is int:
                    value = "pushed", value
                state.store(place + 4 * step, value)
        if moves_base:
            self.write(state, base, None if start is None else ("stack", start + signed(move)))
        for one, value in loaded:
            if one == PC:
                self.jump(state, value, instruction, True)
            else:
                self.write(state, one, value)

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
