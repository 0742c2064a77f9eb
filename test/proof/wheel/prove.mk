# SPDX-License-Identifier: MIT
# What a solver proves of the wheel. The Makefile includes this file.

## make prove [PROVE=]
##     Proves by z3, for any number of timers, any calls and any time, that each timer fires in its tick and in order, that none
##     is lost, and that each run ends. Prints the theorems, then wrong variants of the wheel, which must be refuted. Then it
##     proves that sections of the core, as compiled for Thumb, do what was proved. PROVE=all takes all legal geometries,
##     PROVE='64 86' these two. It proves the same of a model of the list. test/proof/wheel/README.md explains the idea.
PROVE ?=
.PHONY: prove
prove:
	@CXX='$(CXX)' /usr/bin/python3 -B test/proof/wheel/prove_words.py
	@/usr/bin/python3 -B test/proof/wheel/prove_lists.py
	@/usr/bin/python3 -B test/proof/wheel/prove_alarm.py
	@CXX='$(CXX)' /usr/bin/python3 -B test/proof/wheel/prove_wheel.py $(PROVE)
	@/usr/bin/python3 -B test/proof/wheel/prove_list.py
	@CXX='$(CXX)' CROSS='$(CROSS)' /usr/bin/python3 -B test/proof/wheel/binary.py
