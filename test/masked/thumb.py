# SPDX-License-Identifier: MIT
"""What a Thumb instruction does to the few values that decide how long interrupts stay masked: constants, what MRS
read, return addresses, and where the stack pointer stands. Everything else is unknown.

A value is an integer, ("saved", 0 or 1): a mask that MRS read; ("return", address); ("stack", offset from where the
function began); ("from", address): whatever the instruction there produced; or None, unknown."""
import capstone
from capstone import arm

# The exit of the function that the walk began with.
OUTSIDE = ("return", None)
ARGUMENTS_AND_SCRATCH = ("r0", "r1", "r2", "r3", "ip", "lr")
PRIMASK = {arm.ARM_SYSREG_PRIMASK}
BASEPRI = {arm.ARM_SYSREG_BASEPRI}
BASEPRI_MAX = {arm.ARM_SYSREG_BASEPRI_MAX}
MASKS = PRIMASK | BASEPRI | BASEPRI_MAX
INVERSE = {}
for one, other in (("EQ", "NE"), ("HS", "LO"), ("MI", "PL"), ("VS", "VC"), ("HI", "LS"), ("GE", "LT"), ("GT", "LE")):
    one, other = getattr(arm, f"ARM_CC_{one}"), getattr(arm, f"ARM_CC_{other}")
    INVERSE[one], INVERSE[other] = other, one
# Those that a result alone decides.
BY_RESULT = {arm.ARM_CC_EQ, arm.ARM_CC_NE, arm.ARM_CC_MI, arm.ARM_CC_PL}
UNKNOWN_FLAGS = (None, None, False, ())
WORD = 0xFFFFFFFF


class Refused(Exception):
    """The walk cannot prove what happens next."""


def decoder():
    made = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    made.detail = True
    return made


class Instruction:
    """One decoded instruction, with its operands as plain Python."""

    def __init__(self, decoded):
        self.address, self.size = decoded.address, decoded.size
        self.text = f"{decoded.mnemonic} {decoded.op_str}".strip()
        name = decoded.mnemonic.split(".")[0]
        self.condition = decoded.cc if decoded.cc not in (arm.ARM_CC_AL, arm.ARM_CC_INVALID) else None
        if self.condition and not name.startswith("it"):
            # The mnemonic ends with the condition; the longest one is two letters.
            name = name[:-2]
        self.name = name
        self.sets_flags = decoded.update_flags
        self.writes_back = decoded.writeback
        self.written = {decoded.reg_name(register) for register in decoded.regs_access()[1]}
        self.operands = []
        for one in decoded.operands:
            if one.type == arm.ARM_OP_REG:
                self.operands.append(("register", decoded.reg_name(one.reg), one.shift.type, one.shift.value))
            elif one.type == arm.ARM_OP_IMM:
                self.operands.append(("number", one.imm & WORD))
            elif one.type == arm.ARM_OP_MEM:
                indexed = one.mem.index != 0
                self.operands.append(("memory", decoded.reg_name(one.mem.base), None if indexed else one.mem.disp))
            elif one.type == arm.ARM_OP_SYSREG:
                self.operands.append(("special", one.reg))

    @property
    def next(self):
        return self.address + self.size


class State:
    """A point of the walk. Two equal states go on alike."""
    __slots__ = ("at", "masked", "registers", "stack", "depth", "flags", "nonzero")

    def __init__(self, at, masked):
        self.at, self.masked, self.depth = at, masked, 0
        self.registers = {"lr": OUTSIDE}
        self.stack = {}
        # What set the flags: the first and second operand of a compare, whether C and V are a compare's, and the
        # conditions that are decided.
        self.flags = UNKNOWN_FLAGS
        self.nonzero = frozenset()

    def copy(self):
        made = State.__new__(State)
        made.at, made.masked, made.depth, made.flags, made.nonzero = self.at, self.masked, self.depth, self.flags, self.nonzero
        made.registers, made.stack = dict(self.registers), dict(self.stack)
        return made

    def key(self):
        return (self.at, self.masked, self.depth, self.flags, self.nonzero,
                frozenset(item for item in self.registers.items() if item[1] is not None),
                frozenset(item for item in self.stack.items() if item[1] is not None))

    def forget(self, symbols_only):
        """Widens the state: what an instruction produced becomes unknown, and constants too if that is asked."""
        def kept(value):
            return value is not None and (value[0] != "from" if isinstance(value, tuple) else symbols_only)
        self.registers = {name: value for name, value in self.registers.items() if kept(value)}
        self.stack = {place: value for place, value in self.stack.items() if kept(value)}
        self.flags, self.nonzero = UNKNOWN_FLAGS, frozenset()

    def forget_symbol(self, symbol):
        """The instruction that makes this symbol runs again."""
        if symbol in self.nonzero:
            self.nonzero -= {symbol}
        for values in (self.registers, self.stack):
            for name, value in values.items():
                if value == symbol:
                    values[name] = None
        if symbol in self.flags[:2]:
            self.flags = UNKNOWN_FLAGS

    def becomes(self, symbol, number):
        for values in (self.registers, self.stack):
            for name, value in values.items():
                if value == symbol:
                    values[name] = number

    def value(self, operand):
        if operand[0] == "number":
            return operand[1]
        _, name, shift, amount = operand
        found = ("stack", self.depth) if name == "sp" else self.registers.get(name)
        if shift == arm.ARM_SFT_INVALID:
            return found
        if not isinstance(found, int):
            return None
        if shift == arm.ARM_SFT_LSL:
            return found << amount & WORD
        return found >> amount if shift == arm.ARM_SFT_LSR else None

    # --- Conditions

    def decided(self, condition):
        """True, False, or None when both are possible."""
        first, second, compared, known = self.flags
        for one, result in known:
            if one == condition:
                return result
        if isinstance(first, int) and isinstance(second, int) and (compared or condition in BY_RESULT):
            difference = first - second
            negative = difference >> 31 & 1 == 1
            overflow = ((first ^ second) & (first ^ difference)) >> 31 & 1 == 1
            return {arm.ARM_CC_EQ: first == second, arm.ARM_CC_NE: first != second,
                    arm.ARM_CC_HS: first >= second, arm.ARM_CC_LO: first < second,
                    arm.ARM_CC_HI: first > second, arm.ARM_CC_LS: first <= second,
                    arm.ARM_CC_MI: negative, arm.ARM_CC_PL: not negative,
                    arm.ARM_CC_VS: overflow, arm.ARM_CC_VC: not overflow,
                    arm.ARM_CC_GE: negative == overflow, arm.ARM_CC_LT: negative != overflow,
                    arm.ARM_CC_GT: first != second and negative == overflow,
                    arm.ARM_CC_LE: first == second or negative != overflow}[condition]
        if second == 0 and first in self.nonzero and condition in (arm.ARM_CC_EQ, arm.ARM_CC_NE):
            return condition == arm.ARM_CC_NE
        return None

    def assume(self, condition, result):
        first, second, compared, known = self.flags
        self.flags = (first, second, compared, tuple(sorted({*known, (condition, result), (INVERSE[condition], not result)})))
        equal = condition == arm.ARM_CC_EQ and result or condition == arm.ARM_CC_NE and not result
        unequal = condition == arm.ARM_CC_EQ and not result or condition == arm.ARM_CC_NE and result
        self.learn(first, second, equal, unequal)

    def learn(self, first, second, equal, unequal):
        if isinstance(first, tuple) and first[0] == "from" and isinstance(second, int):
            if equal:
                self.becomes(first, second)
            elif unequal and second == 0:
                self.nonzero |= {first}


def arithmetic(name, first, second):
    """The result for constants, else None."""
    if not isinstance(first, int) or not isinstance(second, int):
        return None
    amount = second & 0xFF
    made = {"add": first + second, "sub": first - second, "rsb": second - first, "and": first & second,
            "orr": first | second, "eor": first ^ second, "bic": first & ~second,
            "lsl": first << min(amount, 32), "lsr": first >> min(amount, 32), "mul": first * second}.get(name)
    return None if made is None else made & WORD


def base_name(instruction):
    """The operation without the s that sets flags and without the w of an encoding."""
    name = instruction.name
    if name in ("addw", "subw", "movw"):
        return name[:-1]
    if instruction.sets_flags and name.endswith("s") and name not in ("cmps",):
        return name[:-1]
    return name


class Processor:
    """Steps a state by one instruction. Returns the states that may follow; a state at None has left the function."""

    def __init__(self, instructions, constant_at):
        self.instructions, self.constant_at = instructions, constant_at

    def step(self, state):
        instruction = self.instructions.get(state.at)
        if instruction is None:
            raise Refused(f"no code at {state.at:#x}")
        name = instruction.name
        if name.startswith("it") and name.strip("it").strip("e") == "":
            after = state.copy()
            after.at = instruction.next
            return [after]
        if name in ("cbz", "cbnz"):
            return self.compare_and_branch(state, instruction, name == "cbz")
        if instruction.condition is None:
            return self.executed(state.copy(), instruction)
        found = []
        decided = state.decided(instruction.condition)
        for result in (True, False):
            if decided in (None, result):
                after = state.copy()
                if decided is None:
                    after.assume(instruction.condition, result)
                if result:
                    found += self.executed(after, instruction)
                else:
                    after.at = instruction.next
                    found.append(after)
        return found

    @staticmethod
    def compare_and_branch(state, instruction, if_zero):
        value = state.value(instruction.operands[0])
        found = []
        for zero in (True, False):
            if isinstance(value, int) and (value == 0) != zero or value in state.nonzero and zero:
                continue
            after = state.copy()
            after.learn(value, 0, zero, not zero)
            after.at = instruction.operands[1][1] if zero == if_zero else instruction.next
            found.append(after)
        return found

    def executed(self, state, instruction):
        name = base_name(instruction)
        operands = instruction.operands
        here = instruction.address
        state.at = instruction.next
        if name in ("udf", "bkpt"):
            return []
        if name in ("b", "bl"):
            if name == "bl":
                state.registers["lr"] = ("return", instruction.next)
            state.at = operands[0][1]
            return [state]
        if name in ("bx", "blx"):
            target = operands[0][1] if operands[0][0] == "number" else state.registers.get(operands[0][1])
            if name == "blx":
                state.registers["lr"] = ("return", instruction.next)
            return self.jump(state, target, here)
        if name in ("tbb", "tbh"):
            raise Refused(f"a jump by a table at {here:#x}")
        if name in ("cpsid", "cpsie"):
            state.masked = name == "cpsid"
            return [state]
        if name == "mrs":
            is_mask = operands[1][1] in MASKS
            state.registers[operands[0][1]] = ("saved", int(state.masked)) if is_mask else None
            return [state]
        if name == "msr":
            if operands[0][1] in MASKS:
                state.masked = self.mask_after(state, operands, here)
            return [state]
        if name in ("push", "pop", "ldm", "ldmia", "stm", "stmia", "stmdb", "ldmdb"):
            return self.many(state, instruction, name)
        if name in ("ldr", "str", "ldrd", "strd") and operands[-1][0] == "memory" or name in ("ldr", "str") and \
                len(operands) > 1 and operands[1][0] == "memory":
            return self.one_word(state, instruction, name)
        return self.computed(state, instruction, name)

    def jump(self, state, target, here):
        if isinstance(target, tuple) and target[0] == "return":
            state.at = target[1]
            return [state]
        if isinstance(target, int):
            state.at = target & ~1
            return [state]
        # A callback. It returns with the mask as it was.
        if state.masked:
            raise Refused(f"an indirect call at {here:#x} while interrupts are masked")
        back = state.registers.get("lr")
        if not (isinstance(back, tuple) and back[0] == "return"):
            raise Refused(f"an indirect jump at {here:#x} that does not return")
        # What counts the callbacks is no constant from here on: else each count would be a path of its own.
        for register in ARGUMENTS_AND_SCRATCH:
            state.registers[register] = None
        state.forget(False)
        state.at = back[1]
        return [state]

    @staticmethod
    def mask_after(state, operands, here):
        value = state.value(operands[1])
        if isinstance(value, tuple) and value[0] == "saved":
            value = value[1]
        if not isinstance(value, int):
            raise Refused(f"the mask written at {here:#x} is unknown")
        # BASEPRI_MAX never unmasks.
        return state.masked if operands[0][1] in BASEPRI_MAX and value == 0 else value != 0

    def many(self, state, instruction, name):
        stores = name in ("push", "stm", "stmia", "stmdb")
        operands = instruction.operands
        base, listed = ("sp", operands) if name in ("push", "pop") else (operands[0][1], operands[1:])
        names = [operand[1] for operand in listed]
        start = state.depth if base == "sp" else self.stack_offset(state.registers.get(base))
        down = name in ("push", "stmdb", "ldmdb")
        back = None
        if start is None:
            if not stores:
                for one in names:
                    self.make(state, one, ("from", instruction.address, one))
        else:
            low = start - 4 * len(names) if down else start
            for index, one in enumerate(names):
                if stores:
                    state.stack[low + 4 * index] = state.registers.get(one)
                elif one == "pc":
                    back = state.stack.get(low + 4 * index)
                else:
                    state.registers[one] = state.stack.get(low + 4 * index)
            if base == "sp" and (instruction.writes_back or name in ("push", "pop")):
                state.depth = low if down else start + 4 * len(names)
                state.stack = {place: value for place, value in state.stack.items() if place >= state.depth}
            elif instruction.writes_back:
                state.registers[base] = ("stack", low if down else start + 4 * len(names))
        if start is None and instruction.writes_back:
            state.registers[base] = None
        if "pc" in names and not stores:
            if back is None:
                raise Refused(f"an unknown return at {instruction.address:#x}")
            return self.jump(state, back, instruction.address)
        return [state]

    @staticmethod
    def stack_offset(value):
        return value[1] if isinstance(value, tuple) and value[0] == "stack" else None

    def one_word(self, state, instruction, name):
        operands = instruction.operands
        index = next(i for i, operand in enumerate(operands) if operand[0] == "memory")
        names = [operand[1] for operand in operands[:index]]
        _, base, offset = operands[index]
        after = operands[index + 1][1] if len(operands) > index + 1 and operands[index + 1][0] == "number" else None
        start = state.depth if base == "sp" else self.stack_offset(state.registers.get(base))
        place = None if start is None or offset is None else start + (0 if after is not None else offset)
        for step, one in enumerate(names):
            if name.startswith("str"):
                if place is not None:
                    state.stack[place + 4 * step] = state.registers.get(one)
            elif place is not None:
                state.registers[one] = state.stack.get(place + 4 * step)
            elif base == "pc" and offset is not None:
                state.registers[one] = self.constant_at((instruction.address + 4 & ~3) + offset + 4 * step)
            else:
                self.make(state, one, ("from", instruction.address, one))
        if instruction.writes_back:
            moved = None if start is None else start + (offset if after is None else after - (after >> 31 << 32))
            if base == "sp":
                if moved is None:
                    raise Refused(f"the stack pointer is unknown after {instruction.address:#x}")
                state.depth = moved
                state.stack = {at: value for at, value in state.stack.items() if at >= moved}
            else:
                state.registers[base] = None if moved is None else ("stack", moved)
        if "pc" in names and name.startswith("ldr"):
            back = state.registers.pop("pc", None)
            if back is None or back[0] == "from":
                raise Refused(f"an unknown return at {instruction.address:#x}")
            return self.jump(state, back, instruction.address)
        return [state]

    @staticmethod
    def make(state, register, symbol):
        state.forget_symbol(symbol)
        state.registers[register] = symbol

    def computed(self, state, instruction, name):
        operands = instruction.operands
        values = [state.value(operand) if operand[0] in ("register", "number") else None for operand in operands]
        if name in ("cmp", "cmn", "tst", "teq"):
            first, second = values[0], values[1]
            if name == "cmp":
                state.flags = (first, second, True, ())
            elif name == "tst" and isinstance(first, int) and isinstance(second, int):
                state.flags = (first & second, 0, False, ())
            else:
                state.flags = UNKNOWN_FLAGS
            return [state]
        if not operands or operands[0][0] != "register":
            return [state]
        if not instruction.written or name.startswith("str"):
            return [state]
        target = operands[0][1]
        result = None
        if name == "mov" and len(values) == 2:
            result = values[1]
        elif name == "mvn" and isinstance(values[1], int):
            result = ~values[1] & WORD
        elif name == "movt" and isinstance(values[0], int):
            result = values[0] & 0xFFFF | values[1] << 16
        elif name in ("uxtb", "uxth") and isinstance(values[1], int):
            result = values[1] & (0xFF if name == "uxtb" else 0xFFFF)
        elif name == "adr":
            result = (instruction.address + 4 & ~3) + values[1]
        elif len(values) >= 2:
            first, second = (values[0], values[1]) if len(values) == 2 else (values[1], values[2])
            result = arithmetic(name, first, second)
            offset = self.stack_offset(first)
            if offset is not None and isinstance(second, int) and name in ("add", "sub"):
                second -= second >> 31 << 32
                result = ("stack", offset + (second if name == "add" else -second))
        if target == "sp":
            offset = self.stack_offset(result)
            if offset is None:
                raise Refused(f"the stack pointer is unknown after {instruction.address:#x}")
            state.depth = offset
            state.stack = {place: value for place, value in state.stack.items() if place >= offset}
        elif target == "pc":
            raise Refused(f"a computed jump at {instruction.address:#x}")
        elif result is None:
            self.make(state, target, ("from", instruction.address, target))
            result = state.registers[target]
        else:
            state.registers[target] = result
        for other in instruction.written - {target, "apsr", "cpsr"}:
            if other in state.registers:
                state.registers[other] = None
        if instruction.sets_flags:
            # A subtraction compares its operands. Others set N and Z by their result, and C and V untracked.
            compares = name == "sub" and len(values) >= 2
            first, second = values[-2:] if compares else (result, 0)
            state.flags = (first, second, compares, ())
        return [state]
