# SPDX-License-Identifier: MIT
# What a solver proves of the wheel. The Makefile includes this file.

## make prove
##     Proves by z3 that the slot of each timer cascades in time, for all ticks, in every legal geometry. Fails if a lemma is
##     refuted, or if a wrong variant of one is proved. Then it proves that an arm, as compiled by GCC and clang for Thumb,
##     chooses the specified slot in every state that the invariants allow. Wrong instructions must be refuted.
.PHONY: prove
prove:
	@CXX='$(CXX)' /usr/bin/python3 -B test/prove/lemmas.py
	@CXX='$(CXX)' CROSS='$(CROSS)' /usr/bin/python3 -B test/prove/binary.py
