# SPDX-License-Identifier: MIT
"""Follows every path of a function, through branches and calls.

reach() joins the states that meet at a place. It is quick, and finds where masked sections begin, with which masks the
function returns, the deepest stack, and the indirect calls. longest() takes one masked section apart, path by path,
since the longest one must not mix two paths. Paths that constants exclude are not followed. A Refused is raised where
nothing can be proved: a masked loop that no constant ends, a masked indirect call, an unknown mask or return."""
from cycles import INSTRUCTIONS, cycles
from program import SP, Refused
from state import State, stack_offset

# Bytes of stack that only a recursion needs.
DEEP = 2048
# Instructions of a path that only a loop without an end has.
ENDLESS = 20000
# States of a function. The longest that is proved has 100000.
MANY = 400000
# Shorter than every path.
NONE = float("-inf"), None


class Function:
    """What reach() found."""

    def __init__(self):
        self.sections, self.returns, self.deepest = [], set(), 0


class Walk:
    def __init__(self, program, spins=(), limits=None, begins=None, unit=INSTRUCTIONS):
        self.program, self.processor, self.unit = program, program.machine.Processor(program), unit
        # Sets of addresses: a jump back from one waits for the hardware, and is not followed.
        self.spins = spins
        # Address -> how often one section executes it at most; and address -> whose counts begin again there.
        self.limits, self.begins = limits or {}, begins or {}
        # Address with a limit -> where in its function its count still matters.
        self.again = {one: program.reaching(one, {start for start, counts in self.begins.items() if one in counts})
                      for one in self.limits}
        # Those of both that excluded a path.
        self.used = set()
        # The first instructions of the functions that were followed.
        self.entered = set()
        # State's key -> addresses up to a fork, the length of the longest path to the end of the section, and the key of
        # that path's next state, or None.
        self.done = {}

    def reach(self, start, masks):
        """Follows a function that is called with these masks."""
        found = Function()
        self.entered.add(start)
        self.processor.masks_of_caller = masks
        joined, waiting, sections = {}, [], set()

        def meet(state, begins):
            state.drop_dead(self.program.live.get(state.at, 0))
            shape = state.shape()
            if begins:
                sections.add(shape)
            if shape in joined:
                if joined[shape].join(state):
                    waiting.append(shape)
                return
            state.join(state)
            joined[shape] = state
            waiting.append(shape)

        meet(State(start, masks, self.program.machine.REGISTERS), False)
        while waiting:
            state = joined[waiting.pop()].copy()
            while True:
                before, here = state.masks, state.at
                after = self.processor.step(state)
                ends = after is not None
                for state in after if ends else [state]:
                    if state.at in self.program.titles:
                        self.entered.add(state.at)
                    depth = -stack_offset(state.registers[SP])
                    found.deepest = max(found.deepest, depth)
                    if depth > DEEP:
                        raise Refused(f"a recursion: more than {DEEP} bytes of stack")
                    begins = state.masks and (not before or self.waits(here))
                    if state.at is None:
                        found.returns.add(state.masks)
                        ends = True
                    elif ends or begins or state.masks != before or state.at <= here:
                        meet(state, begins)
                        ends = True
                if ends:
                    break
        found.sections = [joined[shape] for shape in sections]
        return found

    def waits(self, address):
        """The core sleeps there: an interrupt that ends the sleep has waited for one of the two sections only."""
        return self.program.instructions[address].name == "wfi"

    # --- One masked section

    def ends(self, state, here):
        """Whether the section ends with this instruction, which has led to this state."""
        return not state.masks or state.at is None or self.waits(here)

    def weigh(self, here, there):
        """What the instruction costs when `there` is executed next."""
        if self.unit == INSTRUCTIONS:
            return 1
        one = self.program.instructions[here]
        return cycles(one, self.unit, there != one.next)

    def longest(self, first):
        """The length of the longest path from this masked state to the unmasking one, and its addresses."""
        root = first.key()
        stack, opened = [(root, first)], {}
        while stack:
            key, state = stack[-1]
            if key in self.done:
                stack.pop()
            elif key not in opened:
                addresses, paths, ending = self.to_next_fork(state.copy())
                opened[key] = addresses, [(length, after) for length, after, _ in paths], ending
                for _, after, each in paths:
                    if after in opened and after not in self.done:
                        refused = Refused("a loop while interrupts are masked, and no constant ends it")
                        refused.at = each.at
                        raise refused
                    if after not in self.done:
                        stack.append((after, each))
                if len(stack) > ENDLESS:
                    raise Refused("a masked section without an end")
                if len(self.done) > MANY:
                    raise Refused("more states than the walk can follow")
            else:
                addresses, paths, ending = opened.pop(key)
                found = [(length, None) for length in ending]
                found += [(length + self.done[after][1], after) for length, after in paths]
                self.done[key] = addresses, *max(found, key=lambda one: one[0], default=NONE)
                stack.pop()
        length = self.done[root][1]
        if length == NONE[0]:
            raise Refused("a masked section without an end")
        path, key = [], root
        while key is not None:
            addresses, _, key = self.done[key]
            path += addresses
        return length, path

    def to_next_fork(self, state):
        """Up to a fork, or to the end of the section: the addresses; for each path on the length up to there, and the
        key and the state there; and the length of each path that ends. At a trap both lists are empty."""
        addresses, length = [], 0
        while True:
            here = state.at
            if here in self.begins:
                state.passed = tuple(one for one in state.passed if one[0] not in self.begins[here])
            if here in self.limits and not self.may_pass(state, here):
                return addresses, [], []
            addresses.append(here)
            after = self.processor.step(state)
            if after is None:
                length += self.weigh(here, state.at)
                if self.ends(state, here):
                    return addresses, [], [length]
                if self.spins_back(here, state.at):
                    return addresses, [], []
                if len(addresses) > ENDLESS:
                    raise Refused("a masked section without an end")
                continue
            # None of them: a trap.
            paths, ending = [], []
            for state in after:
                reached = length + self.weigh(here, state.at)
                if self.ends(state, here):
                    ending.append(reached)
                elif not self.spins_back(here, state.at):
                    state.drop_dead(self.program.live.get(state.at, 0))
                    if state.passed:
                        self.drop_counts(state)
                    paths.append((reached, state.key(), state))
            return addresses, paths, ending

    def spins_back(self, here, there):
        if there <= here:
            for place in self.spins:
                if here in place:
                    self.used.add(place)
                    return True
        return False

    def drop_counts(self, state):
        """A count ends with the call in which it began, or earlier: where its line cannot be executed any more."""
        here = {state.at, *(value[1] for value in (*state.registers, *state.stack.values())
                            if value.__class__ is tuple and value[0] == "return")}
        state.passed = tuple(one for one in state.passed if not here.isdisjoint(self.again[one[0]]))

    def may_pass(self, state, address):
        passed = dict(state.passed)
        passed[address] = passed.get(address, 0) + 1
        state.passed = tuple(sorted(passed.items()))
        if passed[address] > self.limits[address]:
            self.used.add(address)
            return False
        return True
