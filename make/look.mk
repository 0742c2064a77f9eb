# SPDX-License-Identifier: MIT
# What the sources are like, and what the tests see of them.

#: look
## make boards
##     The boards, their cores, and the size of the shell.
## make docs
##     The documentation of the faces in C and C++, in build/docs. A declaration without a description is an error.
## make check
##     Format, static analysis, headers on their own, names and sizes of the library.
## make mutants
##     Breaks the wheel and its ports in many small ways, one at a time. Prints the score and the survivors.
## make mutants-short
##     The mutants of the files that the last commit changed, and a tenth of the rest. Takes about six minutes.
##     What it had no time for is printed.
.PHONY: boards docs check mutants mutants-short
boards: setup
	@SIZE='$(CROSS)size' boards/table.sh
docs: setup
	@rm -rf build/docs && mkdir -p build/docs
	@doxygen core/Doxyfile
	@echo build/docs/index.html
check mutants: setup
	@test/$@/run
mutants-short: setup
	@test/mutants/run --short --seconds 300

-include $(LOOK_PARTS)
