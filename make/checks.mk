# SPDX-License-Identifier: MIT
# Documentation, static checks, and tests of the tests.

#: checks
## make site
##     The manual, the calls of all headers, and the page of `make page`: a static site in build/site, for any web server. A
##     declaration without a description is an error.
## make check
##     Format, static analysis, headers on their own, names of the library, and the pages: code, links, calls, requirements.
## make mutants
##     Breaks the wheel in many small ways and its ports in a few, one at a time. Prints the score and the survivors.
##     `make mutants-short` takes the files that the last commit changed, and a tenth of the rest, for some minutes.
## make test-debian [SUITE=trixie]
##     Most of these commands in a bare root of that Debian, which debootstrap makes, as an ordinary user: which of them pass
##     there. It needs root for debootstrap, 10 GB and an hour.
.PHONY: site check mutants mutants-short test-debian
site: build/page/index.html
	@rm -rf build/site && mkdir -p build/site
	@doxygen tools/docs/Doxyfile
	@sed 's,[./]*docs/README.md,docs-README.html,; s,[./]*core/DESIGN.md,core-DESIGN.html,; s,[./]*README.md,index.html,' \
		build/page/index.html >build/site/wheel.html
	@echo build/site/index.html
check:
	@test/check/check_sources.sh
mutants:
	@test/check/mutants/run_mutants.py
mutants-short:
	@test/check/mutants/run_mutants.py --short

SUITE ?= trixie
test-debian:
	@test/builds/debian.sh $(SUITE)

-include $(CHECK_PARTS)
