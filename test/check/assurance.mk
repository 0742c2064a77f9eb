# SPDX-License-Identifier: MIT
# What docs/assurance.md needs. The Makefile includes this file.

## make requirements
##     Writes the table of docs/assurance.md: each requirement, the tests that show it, and a mutant that dies. Fails if one
##     has no test.
## make misra
##     Prints how many messages cppcheck has for each rule of MISRA C:2012 in the headers for C. Fails if docs/assurance.md
##     gives no reason for a rule.
## make sbom
##     Writes build/tickwheel.spdx.json: each source file of core/ and port/ with its hashes and its licence, in SPDX 2.3.
.PHONY: requirements misra sbom
tools_requirements = clang cindex
tools_misra = misra python
tools_sbom = python
requirements: setup
	@/usr/bin/python3 -B test/check/requirements.py
misra: setup
	@python3 -B test/check/misra.py
sbom: setup
	@python3 -B test/check/sbom.py
	@echo build/tickwheel.spdx.json
