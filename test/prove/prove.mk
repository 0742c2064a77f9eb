# SPDX-License-Identifier: MIT
# What a solver proves of the wheel. The Makefile includes this file.

## make prove
##     Proves by z3 that each timer meets its slot in time, for all ticks and bases, in every legal geometry. Fails if a
##     lemma is refuted, or if a wrong variant of one is proved.
##     Then it does so for tickwheel_mod_timer() as compiled for a Cortex-M3 at -O2: in every state that the invariants
##     allow it puts an idle timer into the specified slot and changes nothing else. Wrong instructions are refuted.
##     `make prove-all` also does it for a pending timer, for -Os, and for a Cortex-M0.
.PHONY: prove prove-all
prove prove-all: setup
	@CXX='$(CXX)' /usr/bin/python3 -B test/prove/lemmas.py
	@CXX='$(CXX)' CROSS='$(CROSS)' MAKE='$(MAKE)' /usr/bin/python3 -B test/prove/binary.py $(if $(filter %-all,$@),--all)
