# SPDX-License-Identifier: MIT
# What a kernel's timeouts cost on the wheel. The Makefile of the root includes this file after bench/wheel/wheel.mk.

zephyr_bench_out := $(bench_out)/zephyr
zephyr_bench_sizes := 10 100 1000
zephyr_bench_cpu := -mthumb -mcpu=cortex-m3 -Os
zephyr_bench_flags := $(filter-out -Iport/cortex_m,$(bench_flags)) -fno-strict-aliasing -Iport/zephyr -Itest/support/zephyr \
	-DSTAND_IN_ONE_CORE -DTICKWHEEL_HOOKS=1 -DTICKWHEEL_ARM_RUNNING_TICK=1
zephyr_bench_timeout := $(zephyr_bench_out)/kernel_timeout.o
$(eval $(call bench_firmware,$(zephyr_bench_out)/zephyr,$(bench_cxx),$(zephyr_bench_flags),$(zephyr_bench_cpu),\
    core/tickwheel.cpp bench/zephyr/zephyr.cpp $(bench_m_startup),mps2-an385))
$(zephyr_bench_timeout): port/zephyr/kernel_timeout.c bench/zephyr/zephyr.mk $(bench_tools)
	@mkdir -p $(@D)
	@$(bench_cxx:%g++=%gcc) $(filter-out -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics,$(zephyr_bench_flags)) \
	    -std=c11 $(zephyr_bench_cpu) -c $< -o $@
$(zephyr_bench_out)/zephyr.elf: $(zephyr_bench_timeout)
$(zephyr_bench_out)/N%.counts: $(zephyr_bench_out)/zephyr.elf $(bench_out)/count.so
	@$(call bench_count,$*,mps2-an385)
-include $(zephyr_bench_timeout:.o=.d)

## make bench-zephyr
##     Counts the instructions of an add, an abort, a remaining and an announce of a kernel's timeouts on the wheel, on a
##     Cortex-M3 at -Os, and checks them against bench/zephyr/limits.
.PHONY: bench-zephyr
bench-zephyr: $(zephyr_bench_sizes:%=$(zephyr_bench_out)/N%.counts)
	@python3 -B bench/report/counts.py calls $(zephyr_bench_out) "$(zephyr_bench_sizes:%=N%)" timeout_add=add cancel=abort timeout_remaining=remaining \
	    busy_tick=announce
	@python3 -B bench/report/limits.py bench/zephyr/limits $(zephyr_bench_out)/figures
