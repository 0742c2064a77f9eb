# SPDX-License-Identifier: MIT
# What docs/assurance.md needs. The Makefile includes this file.

## make requirements
##     Writes the table of docs/assurance.md: each requirement, the tests that show it, and a mutant that dies. Fails if one
##     has no test.
## make misra
##     Prints how many messages cppcheck has for each rule of MISRA C:2012 in the headers for C. Fails if docs/assurance.md
##     gives no reason for a rule.
.PHONY: requirements misra
tools_requirements = clang cindex
tools_misra = misra python
requirements: setup
	@/usr/bin/python3 -B test/check/requirements.py
misra: setup
	@python3 -B test/check/misra.py
