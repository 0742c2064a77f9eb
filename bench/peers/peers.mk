# SPDX-License-Identifier: MIT
# The field: every algorithm of baselines/ beside the wheel. Included by the
# Makefile of the root, after bench.mk; also
# `make -f bench/wheel/wheel.mk -f bench/peers/peers.mk bench-peers` there.

field_out := $(bench_out)/peers
field_systems := tickwheel_wheel linux_wheel mixed_radix_wheels delay_queue_wheels rounds_wheel simple_wheel \
    overflow_list_wheel second_wheel binary_heap red_black_tree skip_list ordered_list delta_list unordered_list
# Those that take a library of the PC.
field_host_systems := boost_multiset std_multimap std_priority_queue
field_host_cxx ?= g++
field_flags := $(bench_flags) -mcpu=cortex-m3 -O2
field_common := $(filter-out %/workloads.o,$(bench_objects_cortex-m3-O2))

.PHONY: bench-peers bench-host plots plots-host conformance

# $1 = system
define field_firmware
$$(field_out)/$1.o: bench/peers/workloads.cpp bench/peers/peers.mk | $$(bench_setup)
	@mkdir -p $$(@D)
	@$$(bench_cxx) $$(field_flags) -include bench/peers/$1.hpp -DBASELINE=$1 -c $$< -o $$@
$$(field_out)/$1.elf: $$(field_out)/$1.o $$(field_common) linker/mps2-an385.ld linker/sections.ld
	@$$(bench_cxx) -mthumb -mcpu=cortex-m3 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/mps2-an385.ld \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(field_out)/$1.d
endef
$(foreach system,$(field_systems),$(eval $(call field_firmware,$(system))))

# $1 = system, $2 = N, 0 for W6
define field_run
$$(field_out)/$1-$2.counts: $$(field_out)/$1.elf $$(bench_out)/count.so bench-force
	@timeout 300 $$(bench_qemu) -M mps2-an385 -serial none -plugin $$(bench_out)/count.so,out=$$@ \
	    -device loader,addr=0x21000000,data=$2,data-len=4 -kernel $$< </dev/null
endef
field_sizes := 0 $(bench_sizes)
$(foreach system,$(field_systems),$(foreach n,$(field_sizes),$(eval $(call field_run,$(system),$(n)))))
field_counts := $(foreach system,$(field_systems),$(foreach n,$(field_sizes),$(field_out)/$(system)-$(n).counts))

## make bench-peers
##     The same workloads for every algorithm that the wheel is compared with, beside it; part of make bench.
bench-peers: $(field_out)/peers.csv
$(field_out)/peers.csv: $(field_counts) bench-force
	@python3 -B bench/report/peers.py $(field_out) $@ "$(field_systems)" "$(bench_sizes)"
bench: bench-peers

# One test for all of them, on the host and on a board.
field_limit := -DBASELINES_MOST_TIMERS=300
field_test := bench/peers/conformance.cpp test/unit/main.cpp
field_host_flags := -std=c++17 -Wall -Wextra -Wshadow -Werror -Icore -Iport/host -MMD -MP
field_check_flags := $(field_host_flags) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    -DTICKWHEEL_TEST_HOST $(field_limit)
field_host_objects := $(patsubst %.cpp,$(field_out)/host/%.o,$(field_test) core/tickwheel.cpp)
$(field_out)/host/%.o: %.cpp bench/peers/peers.mk | $(bench_setup)
	@mkdir -p $(@D)
	@$(field_host_cxx) $(field_check_flags) -c $< -o $@
$(field_out)/conformance: $(field_host_objects)
	@$(field_host_cxx) -fsanitize=address,undefined $^ -o $@

field_board_objects := $(patsubst %.cpp,$(field_out)/board/%.o,$(field_test))
$(field_board_objects): $(field_out)/board/%.o: %.cpp bench/peers/peers.mk | $(bench_setup)
	@mkdir -p $(@D)
	@$(bench_cxx) $(bench_flags) -mcpu=cortex-m3 -Os $(field_limit) -c $< -o $@
$(field_out)/conformance.elf: $(field_board_objects) $(field_common) linker/mps2-an385.ld linker/sections.ld
	@$(bench_cxx) -mthumb -mcpu=cortex-m3 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/mps2-an385.ld \
	    $(filter %.o,$^) -lgcc -o $@
-include $(field_host_objects:.o=.d) $(field_board_objects:.o=.d)

# What it printed and its exit code, for test/sum_results.sh.
field_results := $(field_out)/conformance-host $(field_out)/conformance-mps2-an385
$(field_out)/conformance-host: $(field_out)/conformance bench-force
	@{ timeout 300 $<; echo "exit code $$?"; } >$@ 2>&1
$(field_out)/conformance-mps2-an385: $(field_out)/conformance.elf bench-force
	@{ timeout 300 $(bench_qemu) -M mps2-an385 -serial stdio -kernel $< </dev/null; echo "exit code $$?"; } >$@ 2>&1

## make conformance
##     One test for the wheel and for all that it is compared with, on the host and on mps2-an385.
conformance: $(field_results)
	@test/sum_results.sh $^

# On the PC: time, so no two runs are the same; ratios within one run are what counts.
field_host_bench_flags := $(field_host_flags) -O2 -DBASELINES_MOST_TIMERS=2000000
$(field_out)/timing/%.o: %.cpp bench/peers/peers.mk | $(bench_setup)
	@mkdir -p $(@D)
	@$(field_host_cxx) $(field_host_bench_flags) -c $< -o $@
$(field_out)/timing/bench: $(field_out)/timing/bench/peers/host.o $(field_out)/timing/core/tickwheel.o
	@$(field_host_cxx) $^ -lbenchmark -lpthread -o $@
-include $(field_out)/timing/bench/peers/host.d $(field_out)/timing/core/tickwheel.d

## make bench-host
##     The same on the PC by Google Benchmark, for 10 to 1 000 000 timers, as ratios to the wheel; times, so no two
##     runs are the same.
bench-host: $(field_out)/timing/bench
	@timeout 1800 $< --benchmark_out=$(field_out)/host.json --benchmark_out_format=json >/dev/null
	@python3 -B bench/report/host.py $(field_out)/host.json $(field_out)/host.csv

## make plots
##     Measures as bench-peers does, and draws bench/report/plots anew; what is of the PC from the times on record there.
## make plots-host
##     Measures as bench-host does, puts the times on record and draws anew.
# From what is on record. Debian's Python, which python3-matplotlib is for.
field_draw := python3 -B bench/report/host_table.py bench/report/plots/host.csv bench/README.md && \
    /usr/bin/python3 -B bench/report/plot.py bench/report/plots
plots: bench-peers
	@cp $(field_out)/peers.csv bench/report/plots/peers.csv
	@$(field_draw)
plots-host: bench-host
	@cp $(field_out)/host.csv bench/report/plots/host.csv
	@$(field_draw)
