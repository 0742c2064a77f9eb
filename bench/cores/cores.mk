# SPDX-License-Identifier: MIT
# What the lock of two cores costs. The Makefile of the root includes this file after bench/wheel/wheel.mk.

cores_out := $(bench_out)/cores
# The lock of a wheel: for one core or for two.
cores_locks := one two
cores_builds := $(foreach o,Os O2,$(cores_locks:%=%-$o))
$(foreach lock,$(cores_locks),$(foreach o,Os O2,$(eval $(call bench_firmware,$(cores_out)/$(lock)-$o,$(bench_cxx),\
    $(bench_flags) $(if $(filter two,$(lock)),-DBENCH_SHARED=1 -Iport/smp),-mthumb -mcpu=cortex-m33+nodsp -$o,\
    core/tickwheel.cpp $(bench_m_startup) bench/cores/cores.cpp,mps2-an521))))
$(cores_out)/%.counts: $(cores_out)/%.elf $(bench_out)/count.so
	@$(call bench_count,0,mps2-an521)

## make bench-cores
##     Counts an arm, a cancel and a tick with the lock of one core and with that of two, on a Cortex-M33, and checks
##     them against bench/cores/limits.
.PHONY: bench-cores bench-cores-table
bench-cores: bench-cores-table
	@python3 -B bench/report/limits.py bench/cores/limits $(cores_out)/figures
bench-cores-table: $(cores_builds:%=$(cores_out)/%.counts)
	@python3 -B bench/report/counts.py calls $(cores_out) "$(cores_builds)" idle_tick=idle-tick arm=arm \
	    cancel=cancel
