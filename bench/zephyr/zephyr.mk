# SPDX-License-Identifier: MIT
# What a kernel's timeouts cost on the wheel. The Makefile of the root includes this file after bench/wheel/wheel.mk.

zephyr_bench_out := $(bench_out)/zephyr
zephyr_bench_sizes := 10 100 1000
zephyr_bench_sources := $(filter core/% boards/%,$(bench_sources)) $(bench_m_startup) boards/mps2-an385/board.cpp bench/zephyr/zephyr.cpp port/zephyr/kernel_timeout.c
zephyr_bench_objects := $(patsubst %,$(zephyr_bench_out)/%.o,$(basename $(zephyr_bench_sources)))
zephyr_bench_flags := -mcpu=cortex-m3 -Os -fno-strict-aliasing -Iport/zephyr -Itest/support/zephyr -DSTAND_IN_ONE_CORE \
	-DTICKWHEEL_HOOKS=1 -DTICKWHEEL_ARM_RUNNING_TICK=1
$(zephyr_bench_out)/%.o: %.cpp bench/zephyr/zephyr.mk
	@mkdir -p $(@D)
	@$(bench_cxx) $(filter-out -Iport/cortex_m,$(bench_flags)) $(zephyr_bench_flags) -c $< -o $@
$(zephyr_bench_out)/%.o: %.c bench/zephyr/zephyr.mk
	@mkdir -p $(@D)
	@$(bench_cxx:%g++=%gcc) $(filter-out -Iport/cortex_m -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics,$(bench_flags)) \
	    -std=c11 $(zephyr_bench_flags) -c $< -o $@
$(zephyr_bench_out)/zephyr.elf: $(zephyr_bench_objects) $(bench_linker)
	@$(call bench_link,cortex-m3)
$(zephyr_bench_out)/N%.counts: $(zephyr_bench_out)/zephyr.elf $(bench_out)/count.so
	@$(call bench_count,$*)
-include $(zephyr_bench_objects:.o=.d)

## make bench-zephyr
##     Counts the instructions of an add, an abort, a remaining and an announce of a kernel's timeouts on the wheel, on a
##     Cortex-M3 at -Os, and checks them against bench/zephyr/limits.
.PHONY: bench-zephyr bench-zephyr-table
bench-zephyr: bench-zephyr-table
	@python3 -B bench/report/limits.py bench/zephyr/limits $(zephyr_bench_out)/figures
bench-zephyr-table: $(zephyr_bench_sizes:%=$(zephyr_bench_out)/N%.counts)
	@python3 -B bench/report/counts.py calls $(zephyr_bench_out) "$(zephyr_bench_sizes:%=N%)" timeout_add=add cancel=abort timeout_remaining=remaining \
	    busy_tick=announce
