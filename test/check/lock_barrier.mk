# SPDX-License-Identifier: MIT
# lock_barrier.sh as a goal, for the mutants: the port may be a copy that was broken on purpose.

lock_barrier_core ?= core
lock_barrier_port ?= port/cortex_m

.PHONY: lock-barrier lock-barrier-host
lock-barrier lock-barrier-host:
	@test/check/lock_barrier.sh $(lock_barrier_core) $(lock_barrier_port)
