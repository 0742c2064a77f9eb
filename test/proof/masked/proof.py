# SPDX-License-Identifier: MIT
"""Proves one function of a program: its longest masked section, and that it returns with the mask of its caller."""
from cycles import INSTRUCTIONS
from program import Refused
from walk import Walk


class Proof:
    """What holds for each function of a program. `loops` are those that the file of this name has."""

    def __init__(self, program, *loops, unit=INSTRUCTIONS):
        self.program, self.walk = program, Walk(program, *loops, unit=unit)
        # Function -> the length of its longest masked section; and the addresses of that section.
        self.longest, self.paths = {}, {}
        self.deepest = {}
        # Function -> why nothing is proved.
        self.refused = {}

    def every_function(self):
        """Those that another program or an interrupt may call. A static or weak one that is only called in this program
        is followed from its callers."""
        for name in self.program.entries:
            self.function(name)
        for name, start in self.program.functions.items():
            if start not in self.walk.entered:
                self.function(name)

    def function(self, name):
        start = self.program.functions[name]
        try:
            found = self.walk.reach(start, 0)
            self.returns_as_called(found, 0)
            # The states of another function are of no use: its return addresses differ.
            self.walk.done.clear()
            sections = [self.walk.longest(section) for section in found.sections]
            self.longest[name], self.paths[name] = max(sections, default=(0, []), key=lambda one: one[0])
            self.deepest[name] = found.deepest
            for masks in self.walk.processor.masks:
                self.returns_as_called(self.walk.reach(start, masks), masks)
        except Refused as refused:
            self.refused[name] = refused

    def longest_of(self, part_of):
        """Part of the library -> the length of its longest masked section, and the function that has it."""
        found = {}
        for function, length in self.longest.items():
            part = part_of.get(function, "wheel")
            found[part] = max(found.get(part, (-1, "")), (length, function))
        return found

    @staticmethod
    def returns_as_called(found, masks):
        if found.returns - {masks}:
            raise Refused("it returns with another mask than it was called with")
