# SPDX-License-Identifier: MIT
# What a solver proves of the wheel. The Makefile includes this file.

## make prove
##     Proves by z3 that each timer meets its slot in time, for all ticks and bases, in every legal geometry. Fails if a
##     lemma is refuted, or if a wrong variant of one is proved.
##     Then it does so for the choice of a slot in an arm, in Thumb instructions of GCC and clang: in every state that the invariants
##     allow it chooses the specified slot. Wrong instructions are refuted.
.PHONY: prove
prove:
	@CXX='$(CXX)' /usr/bin/python3 -B test/prove/lemmas.py
	@CXX='$(CXX)' CROSS='$(CROSS)' /usr/bin/python3 -B test/prove/binary.py
