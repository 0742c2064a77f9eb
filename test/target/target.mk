# SPDX-License-Identifier: MIT
# The preemption sweep. Included by the Makefile of the root; also
# `make -f test/target/target.mk sweep` there.

target_out := build/target
# What must have been done before anything is built; an including Makefile may set it before.
target_setup ?=
# Where the wheel's own sources are, and tickwheel/port.hpp; other folders to sweep a copy that was broken on purpose.
target_core ?= core
target_port ?= port/cortex_m
# How many instructions lie between two places of the first interrupt, where there are two.
target_stride ?= 61
target_cxx := arm-none-eabi-g++
target_host_cc := gcc
target_flags := -std=c++17 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -I$(target_core) -I$(target_port) -Wall -Wextra -MMD -MP
target_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

.PHONY: sweep sweep-m0 sweep-short sweep-short-basepri

# $1 = name, $2 = CPU, $3 = -O of the wheel, $4 = board.cpp, $5 = linker script, $6 = flags, $7 = of the wheel as well,
# $8 = machine, $9 = shift. One object after the other; the wheel is built as the others are, so that it is the library's
# code that is interrupted. It is linked first.
define target_image
target_run_$1 := $$(target_out)/$1.elf $8 $9
target_objects_$1 := $$(patsubst %.cpp,$$(target_out)/$1/%.o,test/target/sweep.cpp $4 $$(target_startup))
$$(target_objects_$1): $$(target_out)/$1/%.o: %.cpp test/target/target.mk | $$(target_setup)
	@mkdir -p $$(@D)
	@$$(target_cxx) $$(target_flags) -mcpu=$2 -O2 $6 $7 -c $$< -o $$@
$$(target_out)/$1/tickwheel.o: $$(target_core)/tickwheel.cpp test/target/target.mk | $$(target_setup)
	@mkdir -p $$(@D)
	@$$(target_cxx) $$(target_flags) -mcpu=$2 $3 $7 -c $$< -o $$@
$$(target_out)/$1.elf: $$(target_out)/$1/tickwheel.o $$(target_objects_$1) $5 linker/sections.ld
	@$$(target_cxx) -mthumb -mcpu=$2 -nostdlib -nostartfiles -Wl,--gc-sections -T $5 \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(target_objects_$1:.o=.d) $$(target_out)/$1/tickwheel.d
endef
# How many failures are enough; and no two interrupts.
target_whole := -DSWEEP_ENOUGH=12 -DSWEEP_STRIDE=$(target_stride)
target_single := -DSWEEP_ENOUGH=12 -DSWEEP_STRIDE=0
target_short := -DSWEEP_ENOUGH=1 -DSWEEP_STRIDE=0
target_basepri := -DTICKWHEEL_LOCK_BASEPRI=0x40
# $1 = name, $2 = -O, $3 = flags, $4 = of the wheel as well
target_m4 = $(call target_image,$1,cortex-m4,$2,boards/netduinoplus2/board.cpp,linker/netduinoplus2.ld,\
    -DSWEEP_TIM2 -DSWEEP_CODE_BASE=0x08000000 $3,$4,netduinoplus2,0)
target_m0 = $(call target_image,$1,cortex-m0,$2,boards/microbit/board.cpp,linker/microbit.ld,\
    -DSWEEP_CODE_BASE=0 $3,$4,microbit,6)
$(eval $(call target_m4,m4-O2,-O2,$(target_whole)))
$(eval $(call target_m4,m4-Os,-Os,$(target_whole)))
$(eval $(call target_m4,m4-O2-basepri,-O2,$(target_single),$(target_basepri)))
$(eval $(call target_m0,m0-Os,-Os,$(target_single)))
$(eval $(call target_m4,short,-O2,$(target_short)))
$(eval $(call target_m4,short-basepri,-O2,$(target_short),$(target_basepri)))

$(target_out)/executed.so: test/target/executed.c bench/wheel/qemu_plugin.h test/target/target.mk | $(target_setup)
	@mkdir -p $(@D)
	@$(target_host_cc) -std=c11 -Wall -Wextra -O2 -fPIC -shared -fvisibility=hidden $< -o $@

# $1 = goal, $2 = images, $3 = after how many seconds an image counts as hung
define target_sweep
$1: $$(patsubst %,$$(target_out)/%.elf,$2) $$(target_out)/executed.so
	@python3 -B test/target/sweep.py $3 $$(target_out)/executed.so $$(foreach image,$2,$$(target_run_$$(image)))
endef
## make sweep
##     Every pair of an operation and an interrupting one, interrupted after every number of instructions, in QEMU:
##     Cortex-M4, PRIMASK and BASEPRI. sweep-m0: the same on a Cortex-M0. sweep-short, sweep-short-basepri: up to the
##     first failure.
$(eval $(call target_sweep,sweep,m4-O2 m4-Os m4-O2-basepri,600))
$(eval $(call target_sweep,sweep-m0,m0-Os,900))
$(eval $(call target_sweep,sweep-short,short,600))
$(eval $(call target_sweep,sweep-short-basepri,short-basepri,600))
