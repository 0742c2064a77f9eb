# SPDX-License-Identifier: MIT
# How long the library masks interrupts, proved. The Makefile includes this file.

## make masked
##     Follows every path of the library from the instruction that masks interrupts to the one that unmasks them, in each
##     build. Prints the longest of each part and checks it against test/masked/limits. build/masked/<build>/report.txt
##     has the longest path of each function, with its source lines.
.PHONY: masked
masked: $(masked_setup)
	@env MAKE='$(MAKE)' CROSS='$(CROSS)' python3 -B test/masked/run
