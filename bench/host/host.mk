# SPDX-License-Identifier: MIT
# The time-outs of a request server on a PC, for the wheel and four other systems. requests.cpp has the workload.

bench_host_program := $(bench_out)/host/requests

# The peers are headers. -flto lets GCC inline the wheel into the program, too.
$(bench_host_program): bench/host/requests.cpp core/tickwheel.cpp bench/host/host.mk $(wildcard bench/peers/*.hpp core/*/*) \
		port/host/tickwheel/port.hpp | $(bench_setup)
	@mkdir -p $(@D)
	@$(peers_host_cxx) -std=c++17 -O2 -flto -Wall -Wextra -Wshadow -Werror -DPEERS_MOST_TIMERS=1100000 -Icore -Iport/host \
		$(filter %.cpp,$^) -lbenchmark -o $@

## make bench-host
##     Measures how many requests a second the wheel, a heap, a queue, a tree and a skip list serve on this PC, in some
##     minutes. No limit holds these figures.
## make bench-host-check
##     Checks with 10 000 requests that these five fire the same time-outs in the same ticks.
.PHONY: bench-host bench-host-check
bench-host bench-host-check: private export GLIBC_TUNABLES := glibc.malloc.hugetlb=1
bench-host: $(bench_host_program)
	@$< 1000000 5
	@echo "answers in random order:"
	@$< 1000000 5 random
bench-host-check: $(bench_host_program)
	@$< 10000 0
	@$< 10000 0 random
