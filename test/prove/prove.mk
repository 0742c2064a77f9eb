# SPDX-License-Identifier: MIT
# What a solver proves of the wheel. The Makefile includes this file.

## make prove
##     Proves by z3 that each timer meets its slot in time, for all ticks and bases, in every legal geometry. Fails if a
##     lemma is refuted, or if a wrong variant of one is proved.
.PHONY: prove
prove: setup
	@CXX='$(CXX)' /usr/bin/python3 -B test/prove/lemmas.py
