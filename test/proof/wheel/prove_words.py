#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Proves what wheel.py assumes of words: the highest bit of bits.hpp, the searches of bitmap.hpp in each level of each legal
geometry, and get_jiffies_64() of both queues. Each lemma has a wrong variant, which must be refuted."""
import sys
import time

from levels import geometries
from z3 import And, BitVec, BitVecVal, Concat, Extract, If, LShR, Not, Or, SolverFor, UGE, UGT, ULE, ULT, sat, unsat

TOP = BitVecVal(1 << 31, 32)


def leading_zeros(bits, last=30):
    """count_leading_zeros() without a clz instruction."""
    count = BitVecVal(0, 32)
    for shift, by in ((16, 16), (24, 8), (28, 4), (last, 2)):
        above = LShR(bits, shift) == 0
        bits, count = If(above, bits << by, bits), If(above, count + by, count)
    return count + (LShR(bits, 31) ^ 1)


def highest_bit(wrong):
    bits = BitVec("bits", 32)
    count = leading_zeros(bits, 29 if wrong else 30)
    yield "count_leading_zeros() finds the highest bit", bits != 0, And(ULT(count, 32), LShR(bits, 31 - count) == 1)


def word_of_a_block(wrong):
    """finish_tick() and update_next_run(): the next mark of a word after a slot, and from its first slot on."""
    marks, slot, other = (BitVec(name, 32) for name in ("marks", "slot", "other"))
    later = (marks & ~LShR(TOP, slot)) << slot
    found = slot + leading_zeros(later) + (1 if wrong else 0)
    is_marked = LShR(TOP, other) & marks != 0
    after = And(ULT(slot, 32), ULT(other, 32), UGT(other, slot))
    yield "no mark of the word is passed", And(after, is_marked), And(later != 0, ULE(found, other))
    yield "what is found is a mark after the slot", And(ULT(slot, 32), later != 0), And(
        UGT(found, slot), ULT(found, 32), LShR(TOP, found) & marks != 0)
    first = leading_zeros(marks) + (1 if wrong else 0)
    yield "nor is one from the first slot on", And(ULT(other, 32), is_marked), ULE(first, other)


def steps_to_next_mark(size, offset, wrong):
    """bitmap::steps_to_next_mark() of a level of this size that begins at this bit of a word."""
    count = (size + 31) // 32
    words = [BitVec(f"word{n}", 32) for n in range(count)]
    index, other = BitVec("index", 32), BitVec("other", 32)

    def marks_of(word):
        found = words[0]
        for n in range(1, count):
            found = If(word == n, words[n], found)
        return found << offset & (~0 << (32 - size)) if size < 32 else found

    def is_marked(at):
        return marks_of(LShR(at, 5)) & LShR(TOP, at & 31) != 0

    word = LShR(index, 5)
    own = marks_of(word)
    bits = own & LShR(BitVecVal(~0, 32) if wrong else TOP - 1, index & 31)
    for _ in range(count - 1):
        searches = bits == 0
        word = If(searches, (word + 1) & (count - 1), word)
        bits = If(searches, marks_of(word), bits)
    word, bits = If(bits == 0, LShR(index, 5), word), If(bits == 0, own, bits)
    steps = If(bits == 0, BitVecVal(0, 32), ((word * 32 + leading_zeros(bits) - index - 1) & (size - 1)) + 1)
    inside = And(ULT(index, size), ULT(other, size))
    title = f"in a level of {size} slots at bit {offset} "
    yield title + "no mark is passed", And(inside, is_marked(other)), And(
        steps != 0, ULE(steps, ((other - index - 1) & (size - 1)) + 1))
    found = is_marked((index + steps) & (size - 1))
    yield title + "what is found is a mark", And(inside, steps != 0), And(ULE(steps, size), found)


# requirement: TW-25
def jiffies_64(wrong):
    """A reader takes `jiffies_halves`, and any time later `jiffies`. It is right if the second tick is less than 2^31 and a block
    after the start of the first's block. I9 says so of one moment."""
    block, ahead, size = BitVec("block", 64), BitVec("ahead", 64), BitVec("size", 64)
    upcoming = block - size + ahead
    halves = Extract(31, 0, LShR(block - 1, 31))
    low = Extract(31, 0, upcoming)
    upper = LShR(halves + ((halves ^ LShR(low, 31)) & 1), 1)
    given = And(Or(*(size == 1 << bits for bits in (5, 6, 7))), block & (size - 1) == 0, UGE(block, size),
                ULT(ahead, (1 << 31) + size + (1 if wrong else 0)), ULT(block, 1 << 62))
    yield "get_jiffies_64() is exact, up to 2^62 ticks", given, Concat(upper, low) == upcoming
    # Of a list, by L4: the second tick is less than four quarters after the start of the first's quarter.
    quarter = BitVec("quarter", 64)
    upcoming = (quarter << 30) + ahead
    quarters, low = Extract(31, 0, quarter), Extract(31, 0, upcoming)
    upper = LShR(quarters + ((LShR(low, 30) - quarters) & 3), 2)
    given = And(ULT(ahead, (4 << 30) + (1 if wrong else 0)), ULT(quarter, (1 << 32) - 4))
    yield "get_jiffies_64() of a list is exact, up to 2^62 ticks", given, Concat(upper, low) == upcoming


def lemmas(wrong):
    yield from highest_bit(wrong)
    yield from word_of_a_block(wrong)
    levels = {(level.size, level.first % 32 if level.size < 32 else 0) for one in geometries() for level in one.levels}
    for size, offset in sorted(levels | {(one.tvr_size, 0) for one in geometries()}):
        yield from steps_to_next_mark(size, offset, wrong)
    yield from jiffies_64(wrong)


def answer_of(*conditions):
    solver = SolverFor("QF_BV")
    solver.set("timeout", 300_000)
    solver.add(*conditions)
    return solver.check()


def main():
    proved, refuted, wrong = [], 0, []
    for title, given, claim in lemmas(False):
        answer = answer_of(given, Not(claim))
        (proved if answer == unsat and answer_of(given) == sat else wrong).append(f"{title}: {answer}")
    for title, given, claim in lemmas(True):
        # The wrong search of marks finds its own slot first, which is a mark as well.
        answer = answer_of(given, Not(claim))
        refuted += answer == sat
        if answer != sat and "what is found" not in title:
            wrong.append(f"the wrong variant of {title}: {answer}")
    print(*(f"not proved: {line}" for line in wrong), f"words: {len(proved)} lemmas proved, {refuted} wrong variants refuted, "
          f"{time.process_time():.0f} s of processor", sep="\n")
    return wrong != [] or not proved


if __name__ == "__main__":
    sys.exit(main())
