# SPDX-License-Identifier: MIT
"""A point of the walk: the next instruction, the masks, and what is known of registers, stack and flags.

A value is one of these:
    an integer          a constant
    ("stack", n)        the address n bytes above where the stack pointer stood at the function's start
    ("return", a)       a return address; a is None for the caller of the function
    ("saved", bit, on)  what MRS read of a mask, or csrrci of mstatus
    ("pushed", n)       on the stack: the constant of a register that the function must give back
    None                unknown

What a load finds is unknown, unless it reads the stack: a register of the hardware may change between two loads."""
from program import LR, SP, Refused, signed

OUTSIDE = ("return", None)
PRIMASK, BASEPRI = 1, 2
OPPOSITE = {"eq": "ne", "ne": "eq", "cs": "cc", "cc": "cs", "mi": "pl", "pl": "mi", "vs": "vc", "vc": "vs",
            "hi": "ls", "ls": "hi", "ge": "lt", "lt": "ge", "gt": "le", "le": "gt"}
# What each says of the operands of a comparison. Those of an overflow are not followed.
CONDITIONS = {
    "eq": lambda one, other: one == other, "ne": lambda one, other: one != other,
    "cs": lambda one, other: one >= other, "cc": lambda one, other: one < other,
    "hi": lambda one, other: one > other, "ls": lambda one, other: one <= other,
    "ge": lambda one, other: signed(one) >= signed(other), "lt": lambda one, other: signed(one) < signed(other),
    "gt": lambda one, other: signed(one) > signed(other), "le": lambda one, other: signed(one) <= signed(other),
    "mi": lambda one, other: signed(one - other) < 0, "pl": lambda one, other: signed(one - other) >= 0,
}
# Those that a result alone decides, without carry and overflow.
BY_RESULT = ("eq", "ne", "mi", "pl")
# The operands, whether C and V are those of a comparison, what a branch has decided since, and the register whose value
# the first operand is, if one still has it.
NO_FLAGS = (None, None, False, (), None)


def is_private(value):
    """No pointer leads to a place on the stack with such a value."""
    return value.__class__ is tuple


def stack_offset(value):
    return value[1] if value.__class__ is tuple and value[0] == "stack" else None


class State:
    __slots__ = ("at", "masks", "registers", "stack", "flags", "passed")

    def __init__(self, at, masks, registers):
        self.at, self.masks = at, masks
        self.registers = [None] * registers
        self.registers[SP], self.registers[LR] = ("stack", 0), OUTSIDE
        self.stack = {}
        self.flags = NO_FLAGS
        # How often this section has executed each line that has a limit.
        self.passed = ()

    def copy(self):
        made = self.__class__.__new__(self.__class__)
        made.at, made.masks, made.flags, made.passed = self.at, self.masks, self.flags, self.passed
        made.registers, made.stack = self.registers[:], dict(self.stack)
        return made

    def drop_dead(self, live):
        """Forgets what nobody reads again."""
        self.registers = [value if live >> n & 1 or n in (SP, LR) else None for n, value in enumerate(self.registers)]
        if not live >> 16 & 1:
            self.flags = NO_FLAGS

    def key(self):
        """Equal for two states that continue alike."""
        return self.at, self.masks, self.passed, tuple(self.registers), tuple(sorted(self.stack.items())), self.flags

    def shape(self):
        """What two states must share to be joined: all but constants and flags."""
        return (self.at, self.masks, tuple(value if is_private(value) else None for value in self.registers),
                tuple((place, value) for place, value in sorted(self.stack.items()) if is_private(value)))

    def join(self, other):
        """Keeps what is the same in both. Returns whether this lost anything."""
        changed = False
        for n, value in enumerate(self.registers):
            if value is not None and value != other.registers[n]:
                self.registers[n] = None
                changed = True
        for place, value in list(self.stack.items()):
            if value != other.stack.get(place):
                del self.stack[place]
                changed = True
        self.flags = NO_FLAGS
        return changed

    # --- Values

    def write(self, n, value):
        if n == SP:
            offset = stack_offset(value)
            if offset is None:
                raise Refused("the stack pointer is unknown")
            if offset > self.registers[SP][1]:
                self.stack = {place: kept for place, kept in self.stack.items() if place >= offset}
        self.registers[n] = value
        if self.flags[4] == n:
            self.flags = (*self.flags[:4], None)

    def store(self, place, value):
        for near in (place - 3, place - 2, place - 1, place + 1, place + 2, place + 3):
            self.stack.pop(near, None)
        if value is None or not (self.masks or is_private(value)):
            self.stack.pop(place, None)
        else:
            self.stack[place] = value

    def set_masks(self, masks):
        self.masks = masks
        if not masks:
            # An interrupt may write to a local variable.
            self.store_somewhere()

    def store_somewhere(self):
        """A store through an unknown pointer, which may be that of a local variable. Nothing points to a saved mask,
        a return address or a pushed register: this assumes a program that overruns no array."""
        self.stack = {place: value for place, value in self.stack.items() if is_private(value)}

    def call_back(self, masks_of_caller, scratch):
        """A callback: it may change what the calling convention lets it, and returns with the mask as it was."""
        if self.masks != masks_of_caller:
            raise Refused("an indirect call while interrupts are masked")
        back = self.registers[LR]
        if back.__class__ is not tuple or back[0] != "return":
            raise Refused("an indirect jump that does not return")
        for n in scratch:
            self.registers[n] = None
        self.store_somewhere()
        self.flags = NO_FLAGS
        self.at = back[1]

    # --- Conditions

    def decided(self, condition):
        """True, False, or None when both are possible."""
        first, second, compared, known, _ = self.flags
        for one, result in known:
            if one == condition:
                return result
        if first is not None and first == second:
            first = second = 0
        followed = condition in CONDITIONS and (compared or condition in BY_RESULT)
        if followed and first.__class__ is int and second.__class__ is int:
            return CONDITIONS[condition](first, second)
        return None

    def assume(self, condition, result):
        first, second, compared, known, register = self.flags
        known = tuple(sorted({*known, (condition, result), (OPPOSITE[condition], not result)}))
        if ("eq", True) in known and first is None and second.__class__ is int:
            first = second
            if register is not None:
                self.registers[register] = first
        self.flags = (first, second, compared, known, register)
