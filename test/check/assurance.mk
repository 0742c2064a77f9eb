# SPDX-License-Identifier: MIT
# What docs/assurance.md needs. The Makefile includes this file.

## make requirements
##     Writes the table of docs/assurance.md: each requirement, the tests that show it, and a mutant that dies. Fails if one
##     has no test.
.PHONY: requirements
tools_requirements = clang cindex
requirements: setup
	@/usr/bin/python3 -B test/check/requirements.py
