# SPDX-License-Identifier: MIT
"""Lemmas of the mapping from ticks to slots, for each legal geometry. Each holds for all 2^64 pairs of a tick and a next_block.
Each has a mutant that must be refuted, because assumptions that nothing meets would prove any lemma."""
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from specification import MAX_LAG, Arm, geometries, slot_of_level, upper_slot
from z3 import And, BitVec, Implies, Not, Or, SolverFor, UGE, ULE, ULT, sat, unsat

EXPIRES, NEXT_BLOCK, OTHER = BitVec("expires", 32), BitVec("next_block", 32), BitVec("other", 32)
DISTANCE = EXPIRES - NEXT_BLOCK
# The longest delay, after the longest lag. tv1_lemmas() proves that no arm passes it.
FARTHEST = (1 << 31) - 1 + MAX_LAG - 1


@dataclass(frozen=True)
class Case:
    """A level, and the distances from next_block for which it is chosen. Its slots cascade `early` ticks before they begin."""
    geometry: object
    level: object
    first: int
    last: int
    early: int = 0

    @property
    def assumed(self):
        return And(NEXT_BLOCK & (self.geometry.block_size - 1) == 0, UGE(DISTANCE, self.first), ULE(DISTANCE, self.last))

    @property
    def slot(self):
        return slot_of_level(self.level, EXPIRES, NEXT_BLOCK)

    def slot_from(self, tick):
        """The slot that begins with a tick."""
        return slot_of_level(replace(self.level, is_overflow=False), tick, NEXT_BLOCK)

    def begins(self, tick):
        return tick & ((1 << self.level.shift) - 1) == 0

    @property
    def cascade(self):
        counted = NEXT_BLOCK + (1 << self.level.shift) if self.level.is_overflow else EXPIRES
        return (counted & -(1 << self.level.shift)) - self.early

    def one_too_far(self):
        """The mutant of the lemmas on the range's end. The highest level has no end, so its slots are too few."""
        if self.level != self.geometry.levels[-1]:
            return replace(self, last=self.last + self.geometry.block_size + 1)
        level = self.level
        return replace(self, level=replace(level, is_overflow=False) if level.is_overflow else replace(level, size=level.size // 2))


# Each: its claim; then its mutant, a change of the case.

def cascades_in_time(case):
    """the slot cascades after next_block and not after the tick"""
    return And(case.slot_from(case.cascade) == case.slot, case.cascade != NEXT_BLOCK, ULE(case.cascade - NEXT_BLOCK, DISTANCE))


def no_earlier_cascade(case):
    """no earlier cascade of the slot meets the timer"""
    between = And(case.begins(OTHER), OTHER != NEXT_BLOCK, ULT(OTHER - NEXT_BLOCK, case.cascade - NEXT_BLOCK))
    return Implies(between, case.slot_from(OTHER) != case.slot)


def cascades_to_lower_level(case):
    """in the cascade the timer moves to a lower level; a timer of the overflow level may move to its other slot"""
    moves_to = upper_slot(case.geometry, EXPIRES, case.cascade)
    in_tv1 = ULT(EXPIRES - case.cascade, case.geometry.block_size)
    lower = [And(moves_to >= one.first, moves_to < one.first + one.size) for one in case.geometry.levels
             if one.shift < case.level.shift]
    return Or(in_tv1, *lower, And(case.level.is_overflow, moves_to != case.slot))


def misses_the_cascading_slot(case):
    """an arm never chooses the slot that cascades at next_block"""
    return Implies(case.begins(NEXT_BLOCK), case.slot_from(NEXT_BLOCK) != case.slot)


def is_chosen(case):
    """the level chosen is the one whose range has the distance"""
    return upper_slot(case.geometry, EXPIRES, NEXT_BLOCK) == case.slot


def before_the_range(case):
    return replace(case, first=case.first - 1)


def outside_the_range(case):
    return before_the_range(case) if case.level == case.geometry.levels[-1] else replace(case, last=case.last + 1)


LEMMAS = {cascades_in_time: before_the_range, no_earlier_cascade: Case.one_too_far,
          cascades_to_lower_level: lambda case: replace(case, early=case.geometry.block_size),
          misses_the_cascading_slot: Case.one_too_far, is_chosen: outside_the_range}


def cases(geometry):
    lasts = [(1 << level.shift) - 1 for level in geometry.levels[1:]] + [FARTHEST]
    for level, last in zip(geometry.levels, lasts):
        yield Case(geometry, level, 1 << level.shift, last)


# --- tv1: the ticks from the first that the runner has not finished up to `tv1_limit` are never more than a turn (I4).

def tv1_lemmas(geometry):
    """Each: its title, what it assumes, what it claims, and what its mutant assumes."""
    arm = Arm(geometry)
    unfinished = BitVec("unfinished", arm.fires.size())
    other = BitVec("other_fires", arm.fires.size())
    size, block = geometry.tvr_size, geometry.block_size

    def within(limit):
        return And(0 <= unfinished, unfinished <= arm.timer_jiffies, arm.limit <= unfinished + limit)

    def pending(tick):
        return And(unfinished <= tick, tick < arm.limit)

    yield ("two ticks of one slot of tv1 are never pending together",
           And(within(size), pending(arm.fires), pending(other)),
           Implies((arm.fires - other) & (size - 1) == 0, arm.fires == other),
           And(within(size + 1), pending(arm.fires), pending(other)))
    yield ("an arm keeps tv1 between the first unfinished tick and tv1_limit",
           And(arm.invariants, within(size), arm.in_tv1), pending(arm.fires),
           And(within(size), arm.fires <= arm.limit))
    cascaded = block + (arm.fires & (block - 1))
    yield ("so does a cascade", And(arm.invariants, within(size)), pending(cascaded),
           And(within(size), arm.limit >= block))
    distance = arm.fires - block
    far = And(arm.invariants, Not(arm.in_tv1))
    reached = And(distance >= block, distance <= FARTHEST)
    yield "the levels above take each distance that tv1 refuses", far, reached, Not(arm.in_tv1)


def holds(assumed, claim):
    """Whether it is proved; else a state that refutes it. Ends the run if the solver cannot tell."""
    solver = SolverFor("QF_BV")
    solver.add(assumed, Not(claim))
    answer = solver.check()
    if answer == sat:
        model = solver.model()
        return ", ".join(f"{one} {model[one].as_long():#x}" for one in model)
    if answer != unsat:
        sys.exit(f"the solver cannot tell: {solver.reason_unknown()}")
    return True


def judge(geometry):
    """How many lemmas are proved, how many mutants refuted, and what is wrong."""
    proved = refuted = 0
    wrong = []
    claims = [(f"level {number}: {lemma.__doc__}", case.assumed, lemma(case), mutant(case), lemma)
              for number, case in enumerate(cases(geometry), 2) for lemma, mutant in LEMMAS.items()]
    claims = [(title, assumed, claim, mutant.assumed, lemma(mutant)) for title, assumed, claim, mutant, lemma in claims]
    claims += [(title, assumed, claim, mutant, claim) for title, assumed, claim, mutant in tv1_lemmas(geometry)]
    for title, assumed, claim, mutant_assumed, mutant_claim in claims:
        answer = holds(assumed, claim)
        proved += answer is True
        if answer is not True:
            wrong.append(f"{geometry.name}: {title}: refuted: {answer}")
        answer = holds(mutant_assumed, mutant_claim)
        refuted += answer is not True
        if answer is True:
            wrong.append(f"{geometry.name}: {title}: its mutant is proved too")
    return proved, refuted, wrong


def main():
    found = geometries()
    with ProcessPoolExecutor() as pool:
        judged = list(pool.map(judge, found))
    wrong = [one for *_, lines in judged for one in lines]
    print(*wrong, f"{len(found)} geometries: {sum(one[0] for one in judged)} lemmas proved, "
          f"{sum(one[1] for one in judged)} mutants refuted", sep="\n")
    return wrong != [] or not found


if __name__ == "__main__":
    sys.exit(main())
