# SPDX-License-Identifier: MIT
# How long the library masks interrupts, proved. The Makefile includes this file.

## make masked
##     Follows every path of the library from the instruction that masks interrupts to the one that unmasks them, in each
##     build of test/masked/builds.py. Prints the longest of each part, and writes the table of docs/figures.md.
##     build/masked/<build>/report.txt has the longest path of each function, with its source lines.
## make masked-check
##     The same for the builds that differ most. Fails if the page has other figures, and writes nothing.
.PHONY: masked masked-check
masked masked-check: $(masked_setup)
	@env MAKE='$(MAKE)' CROSS='$(CROSS)' JOBS='$(JOBS)' python3 -B test/masked/run $(if $(filter %-check,$@),--check)
