# SPDX-License-Identifier: MIT
# How long the library masks interrupts, and how long each call takes, proved. The Makefile includes this file.

## make masked
##     Follows every path of the library from the instruction that masks interrupts to the one that unmasks them, in each
##     build of test/proof/masked/builds.py. Prints the longest of each part, and writes test/proof/masked/proved and docs/figures.md.
##     build/masked/<build>/report.txt has the longest path of each function, with its source lines.
##     `make masked-check [masked_tenth=1..10]` does so for GCC and one core of each instruction set, for the lock by
##     BASEPRI, and for a tenth of the other builds. It fails if the page has other figures, and writes nothing.
.PHONY: masked masked-check
masked_tenth ?= 1
masked masked-check:
	@env CROSS='$(CROSS)' JOBS='$(JOBS)' python3 -B test/proof/masked/prove_masked.py $(if $(filter %-check,$@),--check $(masked_tenth))

## make worst
##     Proves the longest path through each call, in instructions, and in cycles of a Cortex-M0 and M0+. Prints it with the
##     maximum that `make bench` measured, and writes the table of docs/figures.md. build/masked/worst has the paths.
##     `make worst-check` fails if the page has other figures, or if `make bench` measured more than that. It writes nothing.
.PHONY: worst worst-check
worst_builds := $(bench_out)/cortex-m0 $(bench_out)/cortex-m3
worst worst-check: $(foreach build,$(worst_builds),$(foreach n,0 10 1000,$(build)-O2-$n.counts $(build)-Os-$n.counts))
	@env CROSS='$(CROSS)' python3 -B test/proof/masked/prove_masked.py --worst $(if $(filter %-check,$@),--check)
