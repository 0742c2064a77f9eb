# SPDX-License-Identifier: MIT
# Few timers: each geometry, and the wheel compared with the list. The Makefile includes this file after wheel.mk.

few_out := $(bench_out)/few
few_most := 16
few_cpus := cortex-m3 cortex-m0
few_cores := cortex-m0 cortex-m3 rv32imac rv32ec

# $1 = name, $2 = geometry, $3 = core and level, $4 = sources
few_firmware = $(call bench_firmware,$(few_out)/$1,$(bench_cxx),$(bench_flags) $(call variant_flags,$2),-mthumb -mcpu=$3,\
    core/tickwheel.cpp $4 $(bench_m_startup),mps2-an385)
$(foreach geometry,$(GEOMETRIES),$(eval $(call few_firmware,$(geometry),$(geometry),cortex-m0 -Os,bench/few/few.cpp)))
# The wheel and the list; and the workloads of the wheel that do not depend on N, on the list.
$(foreach cpu,$(few_cpus),$(eval $(call few_firmware,$(cpu)-wheel,86,$(cpu) -O2,bench/few/few.cpp))\
    $(eval $(call few_firmware,$(cpu)-list,1,$(cpu) -O2,bench/few/few.cpp))\
    $(eval $(call few_firmware,$(cpu)-list-of-wheel,1,$(cpu) -O2,bench/wheel/workloads.cpp)))
few_counts := $(GEOMETRIES:%=$(few_out)/%-$(few_most).counts) $(foreach cpu,$(few_cpus),$(bench_out)/$(cpu)-O2-0.counts \
    $(few_out)/$(cpu)-list-of-wheel-0.counts $(foreach queue,wheel list,$(foreach n,$(shell seq $(few_most)),\
    $(few_out)/$(cpu)-$(queue)-$n.counts)))

# $1 = core
few_cxx = $(if $(filter cortex-%,$1),$(bench_size_cxx) -mcpu=$1,$(bench_riscv_cxx) $(bench_riscv_flags) $(call riscv_abi,$1,g++))
# $1 = geometry, $2 = core: what a program that makes the calls of bench_size_calls links.
define few_linked
few_programs += $$(few_out)/linked-$1-$2.elf
$$(few_out)/linked-$1-$2.elf: core/tickwheel.cpp bench/few/few.mk $$(bench_tools)
	@mkdir -p $$(@D)
	@$$(call few_cxx,$2) $$(call variant_flags,$1) -Os -MF $$(@:.elf=.d) -MT $$@ -nostdlib -Wl,--gc-sections,-e,tickwheel_run \
	    $$(bench_size_calls:%=-Wl,-u,tickwheel_%) $$< -lgcc -o $$@
-include $$(few_out)/linked-$1-$2.d
endef
$(foreach geometry,$(GEOMETRIES),$(foreach core,$(few_cores),$(eval $(call few_linked,$(geometry),$(core)))))

## make bench-few
##     Prints what each geometry takes of RAM, flash and a tick; the wheel and the list beside each other; and from how many
##     timers on the wheel takes fewer instructions than the list.
.PHONY: bench-few
bench-few: $(few_programs) $(few_counts)
	@python3 -B bench/report/few.py $(few_out) "$(GEOMETRIES)" "$(few_cores)" "$(few_cpus)" $(few_most)
