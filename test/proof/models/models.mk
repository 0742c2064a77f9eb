# SPDX-License-Identifier: MIT
# The model of two cores. The Makefile of the root includes this file.

## make test-models
##     Searches all states of two cores whose callbacks delete each other's timers and wait. The model must hold, and its
##     broken variants must not.
.PHONY: test-models
test-models:
	@test/proof/models/search_models.sh
