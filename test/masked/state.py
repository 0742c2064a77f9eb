# SPDX-License-Identifier: MIT
"""A point of the walk: the next instruction, the masks, and what is known of registers, stack and flags.

A value is one of these:
    an integer          a constant
    ("stack", n)        the address n bytes above where the stack pointer stood at the function's begin
    ("return", a)       a return address; a is None for the caller of the function
    ("saved", bit, on)  what MRS read of a mask, or csrrci of mstatus
    ("spilled", n)      on the stack: the constant of a register that the function must give back
    ("symbol", n)       unknown, and the same wherever the same n stands
    None                unknown

What a load finds is unknown, unless it reads the stack: a register of the hardware may change between two loads."""
from program import LR, SP, WORD, Refused

OUTSIDE = ("return", None)
PRIMASK, BASEPRI = 1, 2
OPPOSITE = {"eq": "ne", "ne": "eq", "cs": "cc", "cc": "cs", "mi": "pl", "pl": "mi", "vs": "vc", "vc": "vs",
            "hi": "ls", "ls": "hi", "ge": "lt", "lt": "ge", "gt": "le", "le": "gt"}
# Those that a result alone decides, without carry and overflow.
BY_RESULT = ("eq", "ne", "mi", "pl")
# The operands, whether C and V are those of a comparison, and what a branch has decided since.
NO_FLAGS = (None, None, False, ())


def is_symbol(value):
    return value.__class__ is tuple and value[0] == "symbol"


def is_private(value):
    """No pointer leads to a place on the stack with such a value."""
    return value.__class__ is tuple and value[0] != "symbol"


def stack_offset(value):
    return value[1] if value.__class__ is tuple and value[0] == "stack" else None


class State:
    __slots__ = ("at", "masks", "registers", "stack", "flags", "nonzero", "symbols", "passed", "fields")

    def __init__(self, at, masks, registers):
        self.at, self.masks = at, masks
        self.registers = [None] * registers
        self.registers[SP], self.registers[LR] = ("stack", 0), OUTSIDE
        self.stack = {}
        self.flags = NO_FLAGS
        # Symbols that are not 0.
        self.nonzero = frozenset()
        self.symbols = 0
        # Register -> which bits of an unknown value are known, and those bits.
        self.fields = {}
        # How often this section has executed each line that has a limit.
        self.passed = ()

    def copy(self):
        made = self.__class__.__new__(self.__class__)
        made.at, made.masks, made.flags, made.nonzero = self.at, self.masks, self.flags, self.nonzero
        made.registers, made.stack = self.registers[:], dict(self.stack)
        made.symbols, made.passed, made.fields = self.symbols, self.passed, dict(self.fields)
        return made

    def drop_dead(self, live):
        """Forgets what nobody reads again."""
        self.registers = [value if live >> n & 1 or n in (SP, LR) else None for n, value in enumerate(self.registers)]
        self.fields = {n: known for n, known in self.fields.items() if live >> n & 1}
        if not live >> 16 & 1:
            self.flags = NO_FLAGS

    def key(self):
        """Equal for two states that go on alike. A symbol that stands in one place only says nothing."""
        places = [*self.registers, *(value for _, value in sorted(self.stack.items())), *self.flags[:2]]
        count, order = {}, {}
        for value in places:
            if is_symbol(value):
                count[value] = count.get(value, 0) + 1
        for index, value in enumerate(places):
            if is_symbol(value):
                known = value in self.nonzero
                if count[value] == 1 and not known:
                    places[index] = None
                else:
                    places[index] = ("symbol", order.setdefault(value, len(order)), known)
        slots = tuple(place for place, value in sorted(self.stack.items()))
        return self.at, self.masks, self.passed, slots, tuple(places), self.flags[2:], tuple(sorted(self.fields.items()))

    def shape(self):
        """What two states must share to be joined: all but constants, symbols and flags."""
        def fixed(value):
            return value if value.__class__ is tuple and value[0] != "symbol" else None
        return (self.at, self.masks, tuple(map(fixed, self.registers)),
                tuple((place, value) for place, value in sorted(self.stack.items()) if fixed(value)))

    def join(self, other):
        """Keeps what is the same in both. Returns whether this lost anything."""
        changed = False
        for n, value in enumerate(self.registers):
            if value is not None and (is_symbol(value) or value != other.registers[n]):
                self.registers[n] = None
                changed = True
        for place, value in list(self.stack.items()):
            if is_symbol(value) or value != other.stack.get(place):
                del self.stack[place]
                changed = True
        self.flags, self.nonzero, self.fields = NO_FLAGS, frozenset(), {}
        return changed

    # --- Values

    def symbol_of(self, n):
        """The value of a register, given a name if it is unknown."""
        if self.registers[n] is None:
            self.symbols += 1
            self.registers[n] = ("symbol", self.symbols)
        return self.registers[n]

    def write(self, n, value):
        if n == SP:
            offset = stack_offset(value)
            if offset is None:
                raise Refused("the stack pointer is unknown")
            if offset > self.registers[SP][1]:
                self.stack = {place: kept for place, kept in self.stack.items() if place >= offset}
        self.registers[n] = value
        self.fields.pop(n, None)

    def write_field(self, n, field, lowest, width):
        """Writes some bits of a register. The compiler may fill an unknown one field by field."""
        written = (1 << width) - 1 << lowest
        known, bits = self.fields.get(n, (0, 0))
        known, bits = known | written, bits & ~written | field << lowest & written
        self.write(n, bits if known == WORD else None)
        if known != WORD:
            self.fields[n] = known, bits

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
        self.flags, self.fields = NO_FLAGS, {}
        self.at = back[1]

    def becomes(self, symbol, number):
        self.registers = [number if value == symbol else value for value in self.registers]
        self.stack = {place: number if value == symbol else value for place, value in self.stack.items()}
        first, second, compared, known = self.flags
        self.flags = (number if first == symbol else first, number if second == symbol else second, compared, known)

    # --- Conditions

    def decided(self, condition):
        """True, False, or None when both are possible."""
        first, second, compared, known = self.flags
        for one, result in known:
            if one == condition:
                return result
        if first is not None and first == second:
            first = second = 0
        if first.__class__ is int and second.__class__ is int:
            if not compared and condition not in BY_RESULT:
                return None
            difference = first - second
            negative = difference >> 31 & 1 == 1
            overflow = ((first ^ second) & (first ^ difference)) >> 31 & 1 == 1
            return {"eq": first == second, "ne": first != second, "cs": first >= second, "cc": first < second,
                    "hi": first > second, "ls": first <= second, "mi": negative, "pl": not negative,
                    "vs": overflow, "vc": not overflow, "ge": negative == overflow, "lt": negative != overflow,
                    "gt": first != second and negative == overflow,
                    "le": first == second or negative != overflow}[condition]
        if second == 0 and condition in ("eq", "ne") and self.is_not_zero(first):
            return condition == "ne"
        return None

    def is_not_zero(self, value):
        return value in self.nonzero or value.__class__ is tuple and value[0] in ("stack", "return")

    def assume(self, condition, result):
        first, second, compared, known = self.flags
        self.flags = (first, second, compared, tuple(sorted({*known, (condition, result), (OPPOSITE[condition], not result)})))
        if condition in ("eq", "ne"):
            self.learn(first, second, (condition == "eq") == result)

    def learn(self, first, second, equal):
        if is_symbol(first) and second.__class__ is int:
            if equal:
                self.becomes(first, second & WORD)
            elif second == 0:
                self.nonzero |= {first}
