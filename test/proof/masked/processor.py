# SPDX-License-Identifier: MIT
"""What the processors share."""
from program import LR, Refused
from state import PRIMASK


class Processor:
    """Steps a state by one instruction, in place. It returns None; or, at a fork, the states that follow."""

    # What a function may be called with, besides no mask. A mask that no instruction writes stays as it is.
    masks = (PRIMASK,)
    # The registers that a callback may change.
    scratch = ()

    def __init__(self, program):
        self.program = program
        self.instructions, self.constants = program.instructions, program.constants
        # Addresses of the indirect calls that a path has executed.
        self.indirect = set()
        # Those that the function was called with.
        self.masks_of_caller = 0

    def step(self, state):
        instruction = self.instructions.get(state.at)
        if instruction is None:
            raise Refused(f"no code at {state.at:#x}")
        try:
            return self.execute(state, instruction)
        except Refused as refused:
            if not hasattr(refused, "at"):
                refused.at = instruction.address
            raise

    @staticmethod
    def keep_return(state, instruction):
        state.write(LR, ("return", instruction.next))

    def jump(self, state, target, instruction, returns=False):
        """To a value. An unknown one is that of a callback, unless the instruction only returns."""
        if target.__class__ is tuple and target[0] == "return":
            state.at = target[1]
        elif target.__class__ is int:
            state.at = target & ~1
        elif returns:
            raise Refused("a return to an unknown address")
        elif (pointed := self.program.pointed(instruction.address)) is not None:
            state.at = pointed
        else:
            self.indirect.add(instruction.address)
            state.call_back(self.masks_of_caller, self.scratch)

    @staticmethod
    def unknown(instruction):
        raise Refused(f"an instruction that is not known: {instruction.text.expandtabs(1)}")
