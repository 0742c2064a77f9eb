# SPDX-License-Identifier: MIT
# The time-outs of a request server on a PC, for the wheel and four of its peers. bench/README.md has the workload.

bench_host_requests ?= 1000000
bench_host_rounds ?= 5
bench_host_program := $(bench_out)/host/requests

# The peers are headers. -flto lets GCC inline the wheel into the program, too.
$(bench_host_program): bench/host/requests.cpp core/tickwheel.cpp bench/host/host.mk $(wildcard bench/peers/*.hpp core/*/*) \
		port/host/tickwheel/port.hpp | $(bench_setup)
	@mkdir -p $(@D)
	@$(peers_host_cxx) -std=c++17 -O2 -flto -Wall -Wextra -Wshadow -Werror -DPEERS_MOST_TIMERS=1100000 -Icore -Iport/host \
		$(filter %.cpp,$^) -lbenchmark -o $@

## make bench-host [bench_host_requests=1000000] [bench_host_rounds=5]
##     Measures on this PC how many requests a second the wheel serves, and a heap, a queue, a tree and a skip list. It
##     takes three minutes. No limit holds the figures. A second table is of answers in random order.
## make bench-host-check
##     Checks with 10 000 requests that these five fire the same time-outs in the same ticks.
.PHONY: bench-host bench-host-check
bench-host bench-host-check: private export GLIBC_TUNABLES := glibc.malloc.hugetlb=1
bench-host: $(bench_host_program)
	@$< $(bench_host_requests) $(bench_host_rounds)
	@echo "answers in random order:"
	@$< $(bench_host_requests) $(bench_host_rounds) random
bench-host-check: $(bench_host_program)
	@$< 10000 0
	@$< 10000 0 random
