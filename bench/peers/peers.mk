# SPDX-License-Identifier: MIT
# The wheel beside other timer algorithms. The Makefile includes it after wheel.mk.

peers_out := $(bench_out)/peers
peers_systems := $(shell sed -n 's/^SYSTEM(\(.*\), ".*")$$/\1/p' bench/peers/systems.def)
peers_host_cxx := g++
# The Cortex-M0 has the wheel and the one that it descends from.
peers_of_cortex-m3 := $(peers_systems)
peers_of_cortex-m0 := tickwheel_wheel linux_2_6_24
peers_cpus := cortex-m3 cortex-m0
# $1 = CPU
peers_common = $(filter-out %/workloads.o,$(bench_objects_$1-O2))

.PHONY: bench-peers conformance

# $1 = CPU, $2 = system
define peers_firmware
$$(peers_out)/$1/$2.o: bench/peers/workloads.cpp bench/peers/peers.mk
	@mkdir -p $$(@D)
	@$$(bench_cxx) $$(bench_flags) -mcpu=$1 -O2 -DPEER=$2 -c $$< -o $$@
$$(peers_out)/$1/$2.elf: $$(peers_out)/$1/$2.o $$(call peers_common,$1) $(bench_linker)
	@$$(call bench_link,$1)
-include $$(peers_out)/$1/$2.d
endef
$(foreach cpu,$(peers_cpus),$(foreach system,$(peers_of_$(cpu)),$(eval $(call peers_firmware,$(cpu),$(system)))))

# $1 = CPU, $2 = system, $3 = N, 0 for W6
define peers_run
peers_counts += $$(peers_out)/$1/$2-$3.counts
$$(peers_out)/$1/$2-$3.counts: $$(peers_out)/$1/$2.elf $$(bench_out)/count.so
	@$$(call bench_count,$3)
endef
$(foreach cpu,$(peers_cpus),$(foreach system,$(peers_of_$(cpu)),$(foreach n,0 $(bench_sizes),\
    $(eval $(call peers_run,$(cpu),$(system),$(n))))))

## make bench-peers
##     Runs the same workloads for the wheel and for each of its peers. `make bench` does it too.
bench-peers: $(peers_counts)
	@python3 -B bench/report/peers.py $(peers_out) "$(bench_sizes)" $(foreach cpu,$(peers_cpus),"$(cpu) $(peers_of_$(cpu))")
bench: bench-peers

peers_test := bench/peers/conformance.cpp test/unit/main.cpp $(wildcard core/*.cpp)
peers_test_objects := $(peers_test:%.cpp=$(peers_out)/host/%.o)
$(peers_test_objects): $(peers_out)/host/%.o: %.cpp bench/peers/peers.mk
	@mkdir -p $(@D)
	@$(peers_host_cxx) -std=c++17 -Wall -Wextra -Wshadow -Werror -O1 -g -MMD -MP -DTICKWHEEL_TEST_HOST -Icore -Iport/host -c $< -o $@
$(peers_out)/conformance: $(peers_test_objects)
	@$(peers_host_cxx) $^ -o $@
-include $(peers_test_objects:.o=.d)

## make conformance
##     Tests that the wheel and all of its peers do the same work.
conformance: $(peers_out)/conformance
	@test/run.py --out $(peers_out)/results "conformance 300 $<"
