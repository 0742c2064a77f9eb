# SPDX-License-Identifier: MIT
# The preemption sweep. Included by the Makefile of the root; also
# `make -f test/target/target.mk sweep` there.

target_out := build/target
# What must have been done before anything is built; an including Makefile may set it before.
target_setup ?=
# Where the wheel's own sources are; another folder to sweep a copy that was broken on purpose.
target_core ?= core
# How many instructions lie between two places of the first interrupt, where there are two.
target_stride ?= 127
target_cxx := arm-none-eabi-g++
target_host_cc := gcc
target_flags := -std=c++17 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -DSWEEP_STRIDE=$(target_stride) -I$(target_core) -Iport/cortex_m -Wall -Wextra -MMD -MP
target_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

.PHONY: sweep sweep-m0

# $1 = name, $2 = CPU, $3 = -O, $4 = board.cpp, $5 = linker script, $6 = flags, $7 = machine, $8 = shift. One object
# after the other; the wheel is built as the others are, so that it is the library's code that is interrupted.
define target_image
target_images_$7 += $$(target_out)/$1.elf
target_runs_$7 += $$(target_out)/$1.elf $7 $8
target_objects_$1 := $$(patsubst %.cpp,$$(target_out)/$1/%.o,test/target/sweep.cpp $4 $$(target_startup))
$$(target_objects_$1): $$(target_out)/$1/%.o: %.cpp test/target/target.mk | $$(target_setup)
	@mkdir -p $$(@D)
	@$$(target_cxx) $$(target_flags) -mcpu=$2 $3 $6 -c $$< -o $$@
$$(target_out)/$1/tickwheel.o: $$(target_core)/tickwheel.cpp test/target/target.mk | $$(target_setup)
	@mkdir -p $$(@D)
	@$$(target_cxx) $$(target_flags) -mcpu=$2 $3 -c $$< -o $$@
$$(target_out)/$1.elf: $$(target_out)/$1/tickwheel.o $$(target_objects_$1) $5 linker/sections.ld
	@$$(target_cxx) -mthumb -mcpu=$2 -nostdlib -nostartfiles -Wl,--gc-sections -T $5 \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(target_objects_$1:.o=.d) $$(target_out)/$1/tickwheel.d
endef
target_m4 = $(call target_image,m4-$1,cortex-m4,-$1,test/bench/netduinoplus2.cpp,test/bench/netduinoplus2.ld,\
    -DSWEEP_TIM2 -DSWEEP_CODE_BASE=0x08000000,netduinoplus2,0)
$(eval $(call target_m4,O2))
$(eval $(call target_m4,Os))
target_m0 = $(call target_image,m0-$1,cortex-m0,-$1,test/target/microbit.cpp,test/target/microbit.ld,\
    -DSWEEP_CODE_BASE=0,microbit,6)
$(eval $(call target_m0,O2))
$(eval $(call target_m0,Os))

$(target_out)/executed.so: test/target/executed.c test/bench/qemu_plugin.h test/target/target.mk | $(target_setup)
	@mkdir -p $(@D)
	@$(target_host_cc) -std=c11 -Wall -Wextra -O2 -fPIC -shared -fvisibility=hidden $< -o $@

## make sweep
##     Every pair of an operation and an interrupting one, interrupted after every number of instructions, in QEMU:
##     Cortex-M4. sweep-m0: the same on a Cortex-M0.
sweep: $(target_images_netduinoplus2) $(target_out)/executed.so
	@python3 -B test/target/sweep.py $(target_out)/executed.so $(target_runs_netduinoplus2)
sweep-m0: $(target_images_microbit) $(target_out)/executed.so
	@python3 -B test/target/sweep.py $(target_out)/executed.so $(target_runs_microbit)
