# SPDX-License-Identifier: MIT
"""Follows every path of a function, through branches and calls, and finds the longest stretch of instructions from the
one that masks interrupts to the one that unmasks them. Paths that constants exclude are not followed. What cannot be
proved is refused: a loop that is masked and whose end is not decided by constants, an indirect call that is masked, a
mask or a return address that is not known."""
import sys

import thumb

# States at one address before the walk forgets constants there.
MANY = 200
# Instructions of a masked stretch, after which no bound is believed.
ENDLESS = 20000
# Bytes of stack after which a recursion is believed.
DEEP = 2048


class Stretch:
    """A masked stretch: how many instructions, and their addresses."""

    def __init__(self, length, addresses):
        self.length, self.addresses = length, addresses


class Walk:
    def __init__(self, instructions, constant_at, impossible):
        self.processor = thumb.Processor(instructions, constant_at)
        self.instructions = instructions
        # Pairs of addresses that no path has both of, in this order, within one masked stretch.
        self.impossible = impossible
        # The longest way to the unmasking instruction, by state.
        self.longest = {}
        self.returned_masked = []

    def function(self, start, masked=False):
        """The longest masked stretch of a call, or None when nothing is masked."""
        worst = None
        waiting = [thumb.State(start, masked)]
        seen, at_address = set(), {}
        while waiting:
            state = waiting.pop()
            if state.at is None:
                continue
            visits = at_address[state.at] = at_address.get(state.at, 0) + 1
            if visits > MANY:
                state.forget(False)
            key = state.key()
            if key in seen:
                continue
            seen.add(key)
            if state.depth < -DEEP:
                raise thumb.Refused(f"a stack of more than {DEEP} bytes at {state.at:#x}: a recursion")
            for after in self.processor.step(state):
                if not after.masked:
                    waiting.append(after)
                    continue
                found, exits = self.stretch(after)
                waiting += exits
                if worst is None or found.length > worst.length:
                    worst = found
        return worst

    def stretch(self, first):
        """From the state after the masking instruction: the longest way, and the states after each unmasking."""
        keys, states, exits = {}, {}, []

        # Depth first, without recursion: a state is finished after all that follow it.
        def enter(state, passed):
            key = (state.key(), passed)
            if key in self.longest:
                return key, False
            return key, True

        def passed_after(state, passed):
            here = frozenset(pair for pair in self.impossible if pair[0] == state.at)
            return passed | here if here else passed

        root, new = enter(first, frozenset())
        if not new:
            length, exits_found, _ = self.longest[root]
            return Stretch(length, self.path(root)), [state.copy() for state in exits_found]
        stack = [(root, first, frozenset(), None)]
        open_states = set()
        work = {}
        while stack:
            key, state, passed, _ = stack[-1]
            if key in self.longest:
                stack.pop()
                continue
            if key not in work:
                open_states.add(key)
                children, leaving = [], []
                if any(pair[1] == state.at for pair in passed):
                    following = []
                else:
                    following = self.processor.step(state)
                after_passed = passed_after(state, passed)
                waits = self.instructions[state.at].name in ("wfi", "wfe")
                for after in following:
                    if after.at is None:
                        if after.masked:
                            self.returned_masked.append(state.at)
                        continue
                    if waits and after.masked:
                        # The core sleeps: a stretch ends, and another begins.
                        leaving.append(after)
                        continue
                    if not after.masked:
                        after.forget(True)
                        leaving.append(after)
                    else:
                        children.append((self.key_of(after, after_passed), after, after_passed))
                work[key] = (children, leaving)
                for child, after, passed_on in children:
                    if child in open_states:
                        raise thumb.Refused(f"a loop at {after.at:#x} while interrupts are masked, without a bound that is seen")
                    if child not in self.longest:
                        stack.append((child, after, passed_on, key))
                if len(stack) > ENDLESS:
                    raise thumb.Refused(f"no end of the masked stretch is seen at {state.at:#x}")
                if any(child not in self.longest for child, _, _ in children):
                    continue
            children, leaving = work.pop(key)
            stack.pop()
            open_states.discard(key)
            best, best_child = 1, None
            gathered = {one.key(): one for one in leaving}
            for child, _, _ in children:
                length, below, _ = self.longest[child]
                if length + 1 > best:
                    best, best_child = length + 1, child
                for one in below:
                    gathered.setdefault(one.key(), one)
            self.longest[key] = (best, list(gathered.values()), best_child)
        length, exits_found, _ = self.longest[root]
        return Stretch(length, self.path(root)), [state.copy() for state in exits_found]

    @staticmethod
    def key_of(state, passed):
        return (state.key(), passed)

    def path(self, key):
        addresses = []
        while key is not None:
            addresses.append(key[0][0])
            key = self.longest[key][2]
        return addresses
