# SPDX-License-Identifier: MIT
# The wheel compared with that of Linux and with the list. The Makefile includes this file after wheel.mk.

peers_out := $(bench_out)/peers
peers_cpus := cortex-m3 cortex-m0

.PHONY: bench-peers conformance

# $1 = folder, $2 = system, $3 = flags, $4 = those of the linker too
peers_firmware = $(call bench_firmware,$(peers_out)/$1,$(bench_cxx),$(bench_flags) -DPEER=$2 $3,-mthumb $4,\
    core/tickwheel.cpp bench/peers/workloads.cpp $(bench_m_startup),mps2-an385)
$(eval $(call peers_firmware,cortex-m3/linux_2_6_24,linux_2_6_24,,-mcpu=cortex-m3 -O2))
# The list is that of the library.
$(foreach cpu,$(peers_cpus),\
    $(eval $(call peers_firmware,$(cpu)/tickwheel_wheel,tickwheel_wheel,,-mcpu=$(cpu) -O2))\
    $(eval $(call peers_firmware,$(cpu)/ordered_list,tickwheel_wheel,$(call variant_flags,1),-mcpu=$(cpu) -O2)))

## make bench-peers
##     Runs the same workloads for the wheel, for that of Linux 2.6.24 and for the list, on a Cortex-M3. `make bench` does it
##     too.
# N = 0 for the time-outs.
bench-peers: $(foreach system,tickwheel_wheel linux_2_6_24 ordered_list,$(foreach n,0 $(bench_sizes),\
    $(peers_out)/cortex-m3/$(system)-$n.counts))
	@python3 -B bench/report/peers.py peers $(peers_out)/cortex-m3 "$(bench_sizes)"
bench: bench-peers

# Few timers: each geometry, and the wheel compared with the list.
few_timers := 16
few_limit := 16
few_systems := tickwheel_wheel ordered_list
few_cores := cortex-m0 cortex-m3 rv32imac rv32ec
# $1 = core
few_cxx = $(if $(filter cortex-%,$1),$(bench_size_cxx) -mcpu=$1,$(bench_riscv_cxx) $(bench_riscv_flags) $(call riscv_abi,$1,g++))
few_counts := $(foreach cpu,$(peers_cpus),$(foreach system,$(few_systems),$(foreach n,$(shell seq $(few_limit)),\
    $(peers_out)/$(cpu)/$(system)-$n.counts))) $(GEOMETRIES:%=$(peers_out)/geometry-%-$(few_timers).counts) \
    $(foreach cpu,$(peers_cpus),$(bench_out)/$(cpu)-O2-0.counts $(peers_out)/list-$(cpu)-0.counts)
# The workloads of the wheel for few timers, on the list.
$(foreach cpu,$(peers_cpus),$(eval $(call bench_firmware,$(peers_out)/list-$(cpu),$(bench_cxx),\
    $(bench_flags) $(call variant_flags,1),-mthumb -mcpu=$(cpu) -O2,$(bench_sources) $(bench_m_startup),mps2-an385)))
$(foreach geometry,$(GEOMETRIES),$(eval $(call peers_firmware,geometry-$(geometry),tickwheel_wheel,\
    $(call variant_flags,$(geometry)),-mcpu=cortex-m0 -Os)))
# $1 = geometry, $2 = core: what a program that makes the calls of bench_size_calls links.
define few_linked
few_programs += $$(peers_out)/geometry-$1-$2.elf
$$(peers_out)/geometry-$1-$2.elf: core/tickwheel.cpp bench/peers/peers.mk $$(bench_tools)
	@mkdir -p $$(@D)
	@$$(call few_cxx,$2) $$(call variant_flags,$1) -Os -MF $$(@:.elf=.d) -MT $$@ -nostdlib -Wl,--gc-sections,-e,tickwheel_run \
	    $$(bench_size_calls:%=-Wl,-u,tickwheel_%) $$< -lgcc -o $$@
-include $$(peers_out)/geometry-$1-$2.d
endef
$(foreach geometry,$(GEOMETRIES),$(foreach core,$(few_cores),$(eval $(call few_linked,$(geometry),$(core)))))

## make bench-few
##     Prints what each geometry takes of RAM, flash and a tick; the wheel and the list beside each other; and from how many
##     timers on the wheel takes fewer instructions than the list.
.PHONY: bench-few
bench-few: $(few_programs) $(few_counts)
	@python3 -B bench/report/peers.py few $(peers_out) "$(GEOMETRIES)" "$(few_cores)" "$(peers_cpus)" $(few_timers) $(few_limit)

peers_test := bench/peers/conformance.cpp $(wildcard core/*.cpp)
$(eval $(call objects_in,$(peers_out)/host,$(CXX),-std=c++17 $(TEST_WARNINGS) -O1 -g -DTICKWHEEL_TEST_HOST -Icore -Iport/host))
$(peers_out)/conformance: $(peers_test:%.cpp=$(peers_out)/host/%.o) $(TEST_MAIN)
	$(call say,$@)$(CXX) $^ -o $@

## make conformance
##     Tests that the wheel and that of Linux do the same work.
conformance: $(peers_out)/conformance
	@test/run_tests.py --out $(peers_out)/results "conformance 300 $<"
