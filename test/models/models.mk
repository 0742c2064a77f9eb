# SPDX-License-Identifier: MIT
# The models of two cores. The Makefile of the root includes this file.

## make test-models
##     Searches all states of what two cores do to a wheel: tick and arm, and two deletes that wait for each other. Each
##     model must hold, and its broken variants must not.
.PHONY: test-models
test-models:
	@test/models/search_models.sh
