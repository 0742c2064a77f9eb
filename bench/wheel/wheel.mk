# SPDX-License-Identifier: MIT
# The measurements of the wheel. The Makefile includes this file.
# The goals print their tables and nothing else, the same bytes in every run.

bench_out := build/bench
bench_cxx := arm-none-eabi-g++
bench_riscv_cxx := riscv64-unknown-elf-g++
bench_host_cc := gcc
bench_library_flags := $(FREESTANDING) -mthumb -Icore -Iport/cortex_m
bench_flags := $(bench_library_flags) -Wall -Wextra -MMD -MP
# $1 = N, $2 = board. The firmware is the first prerequisite. The loader writes N where no section is.
bench_count = test/with_limit 300 $(bench_emulator_$2),data=$1,data-len=4 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -plugin $(bench_out)/count.so,out=$@ -kernel $< </dev/null
bench_emulator_mps2-an385 := qemu-system-arm -M mps2-an385 -device loader,addr=0x21000000
bench_emulator_mps2-an521 := qemu-system-arm -M mps2-an521 -device loader,addr=0x38100000

bench_builds := cortex-m3-O2 cortex-m3-Os cortex-m0-O2 cortex-m0-Os
bench_sizes := 10 100 1000 10000
# N = 0 for the few timers.
bench_runs := 0 $(bench_sizes)

bench_sources := core/tickwheel.cpp bench/wheel/workloads.cpp
bench_m_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

# Another version of a tool measures everything anew.
bench_tools := $(bench_out)/tools.txt
$(bench_tools): always
	@mkdir -p $(@D)
	@for tool in qemu-system-arm $(bench_cxx) $(bench_riscv_cxx); do $$tool --version 2>&1 || true; done >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

.PHONY: bench bench-table size size-table

# A firmware, and its counts for N. $1 = its folder, which is also its name; $2 = compiler; $3 = flags, $4 = those of the linker
# too; $5 = sources; $6 = board
define bench_firmware
bench_objects_$(notdir $1) := $$(patsubst %.cpp,$1/%.o,$5 boards/$6/board.cpp)
$$(bench_objects_$(notdir $1)): $1/%.o: %.cpp bench/wheel/wheel.mk $$(bench_tools)
	@mkdir -p $$(@D)
	@$2 $3 $4 -c $$< -o $$@
$1.elf: $$(bench_objects_$(notdir $1)) linker/$6.ld linker/sections.ld
	@$2 $4 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/$6.ld $$(filter %.o,$$^) -lgcc -o $$@
$1-%.counts: $1.elf $$(bench_out)/count.so
	@$$(call bench_count,$$*,$6)
-include $$(bench_objects_$(notdir $1):.o=.d)
endef
# An M3 runs the code of an M0 as it is.
$(foreach cpu,cortex-m3 cortex-m0,$(foreach o,O2 Os,$(eval $(call bench_firmware,$(bench_out)/$(cpu)-$(o),$(bench_cxx),\
    $(bench_flags),-mthumb -mcpu=$(cpu) -$(o),$(bench_sources) $(bench_m_startup),mps2-an385))))

# All forms of QEMU's plugin interface are compiled, and the version of the emulator chooses one: qemu_plugin.h.
bench_plugins := $(foreach api,1 3 7,$(bench_out)/count-$(api).so)
$(bench_plugins): $(bench_out)/count-%.so: bench/wheel/count.c bench/wheel/qemu_plugin.h bench/wheel/wheel.mk
	@mkdir -p $(@D)
	@$(bench_host_cc) -std=c11 -Wall -Wextra -Werror -O2 -fPIC -shared -fvisibility=hidden -DPLUGIN_API=$* $< -o $@
$(bench_out)/count.so: bench/wheel/plugin_api.sh $(bench_plugins) $(bench_tools)
	@api=$$($<) && cp $(@D)/count-$$api.so $@

bench_counts := $(foreach build,$(bench_builds),$(bench_runs:%=$(bench_out)/$(build)-%.counts))

## make bench
##     Counts the instructions of every call, and checks them against bench/wheel/limits.
bench: bench-table
	@python3 -B bench/report/limits.py bench/wheel/limits $(bench_out)/figures
bench-table: $(bench_counts)
	@python3 -B bench/report/counts.py bench $(bench_out) "$(bench_builds)" "$(bench_sizes)"

bench_riscv_flags := $(filter-out -mthumb -Iport/cortex_m,$(bench_flags)) -Iport/riscv -idirafter test/check/vendor
bench_size_cpus := cortex-m0 cortex-m0plus cortex-m3 cortex-m4 cortex-m7 cortex-m23 cortex-m33 cortex-m55
bench_size_out := $(bench_out)/size
bench_size_calls := mod_timer timer_delete tick run

bench_size_cxx = $(bench_cxx) $(bench_library_flags) -MMD -MP
# $1 = folder, $2 = flags, $3 = source: the library, or the driver of SysTick, for the programs of README.
define bench_size_object
bench_size_objects += $$(bench_size_out)/$1/$(notdir $(3:.cpp=.o))
$$(bench_size_out)/$1/$(notdir $(3:.cpp=.o)): $3 bench/wheel/wheel.mk $$(bench_tools)
	@mkdir -p $$(@D)
	@$$(bench_size_cxx) $2 -c $$< -o $$@
endef
$(foreach cpu,$(bench_size_cpus),$(foreach o,Os O2,$(eval $(call bench_size_object,$(cpu)-$o,-mcpu=$(cpu) -$o,core/tickwheel.cpp))))
$(foreach cpu,cortex-m0 cortex-m3,$(eval $(call bench_size_object,one_shot-$(cpu)-Os,\
    -Iport/one_shot/pico -DTICKWHEEL_ONE_SHOT=1 -DTICKWHEEL_HZ=1000000 -mcpu=$(cpu) -Os,core/tickwheel.cpp)))
$(foreach geometry,$(GEOMETRIES),$(foreach source,core/tickwheel.cpp port/cortex_m_systick/tickwheel_systick.cpp,\
    $(eval $(call bench_size_object,geometry-$(geometry),-Iport/cortex_m_systick -mcpu=cortex-m0 -Os $(call variant_flags,$(geometry)),$(source)))))
-include $(bench_size_objects:.o=.d)
# All that a program links of the library that makes these calls.
bench_size_linked := $(foreach o,Os O2,$(bench_size_cpus:%=$(bench_size_out)/%-$o/linked.elf))
$(bench_size_linked): %/linked.elf: %/tickwheel.o
	@$(bench_cxx) -mthumb -nostdlib -Wl,--gc-sections,-e,tickwheel_run $(bench_size_calls:%=-Wl,-u,tickwheel_%) $< -o $@

# The example for a small chip, which is linked as its chip.ld says.
bench_tiny = $(bench_size_out)/tiny-$1
bench_tiny_flags = $(call variant_flags,$(call geometry_of,tiny))
$(eval $(call bench_firmware,$(call bench_tiny,cortex-m0),$(bench_cxx),$(bench_flags) $(bench_tiny_flags),\
    -mthumb -mcpu=cortex-m0 -Os -T examples/tiny/chip.ld,examples/tiny/main.cpp $(bench_m_startup) core/tickwheel.cpp,microbit))
$(eval $(call bench_firmware,$(call bench_tiny,rv32ec),$(bench_riscv_cxx),$(bench_riscv_flags) $(bench_tiny_flags),\
    $(call riscv_abi,rv32ec) -Os -T examples/tiny/chip.ld,examples/tiny/main.cpp boards/startup/memory.cpp \
    boards/startup/riscv/riscv.cpp core/tickwheel.cpp,riscv-virt-rv32ec))
bench_tiny_programs := $(foreach core,cortex-m0 rv32ec,$(call bench_tiny,$(core)).elf)
$(bench_tiny_programs): examples/tiny/chip.ld

## make size
##     Prints what a small program links on each core, what each feature adds to it, what the programs of README take
##     in each geometry, and what examples/tiny takes. Checks the limits of flash and RAM.
size: size-table
	@python3 -B bench/report/limits.py bench/wheel/limits_size $(bench_size_out)/figures
size-table: $(bench_size_objects) $(bench_size_linked) $(bench_tiny_programs)
	@python3 -B bench/report/size.py $(bench_size_out) "$(bench_size_cpus)" "Os O2" "$(GEOMETRIES)"
