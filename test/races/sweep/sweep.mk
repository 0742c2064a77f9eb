# SPDX-License-Identifier: MIT
# The preemption sweep. Included by the Makefile of the root; also
# `make -f test/races/sweep/sweep.mk sweep` there.

sweep_out := build/sweep
# What must have been done before anything is built; an including Makefile may set it before.
sweep_setup ?=
# Where the wheel's own sources are, and tickwheel/port.hpp; other folders to sweep a copy that was broken on purpose.
sweep_core ?= core
sweep_port ?= port/cortex_m
# How many instructions lie between two places of the first interrupt, where there are two.
sweep_stride ?= 61
sweep_cxx := arm-none-eabi-g++
sweep_host_cc := gcc
sweep_flags := -std=c++17 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -I$(sweep_core) -I$(sweep_port) -Wall -Wextra -MMD -MP
sweep_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

.PHONY: sweep sweep-m0 sweep-short sweep-short-basepri

# $1 = name, $2 = CPU, $3 = -O of the wheel, $4 = board.cpp, $5 = linker script, $6 = flags, $7 = of the wheel as well,
# $8 = machine, $9 = shift. One object after the other; the wheel is built as the others are, so that it is the library's
# code that is interrupted. It is linked first.
define sweep_image
sweep_run_$1 := $$(sweep_out)/$1.elf $8 $9
sweep_objects_$1 := $$(patsubst %.cpp,$$(sweep_out)/$1/%.o,test/races/sweep/sweep.cpp $4 $$(sweep_startup))
$$(sweep_objects_$1): $$(sweep_out)/$1/%.o: %.cpp test/races/sweep/sweep.mk | $$(sweep_setup)
	@mkdir -p $$(@D)
	@$$(sweep_cxx) $$(sweep_flags) -mcpu=$2 -O2 $6 $7 -c $$< -o $$@
$$(sweep_out)/$1/tickwheel.o: $$(sweep_core)/tickwheel.cpp test/races/sweep/sweep.mk | $$(sweep_setup)
	@mkdir -p $$(@D)
	@$$(sweep_cxx) $$(sweep_flags) -mcpu=$2 $3 $7 -c $$< -o $$@
$$(sweep_out)/$1.elf: $$(sweep_out)/$1/tickwheel.o $$(sweep_objects_$1) $5 linker/sections.ld
	@$$(sweep_cxx) -mthumb -mcpu=$2 -nostdlib -nostartfiles -Wl,--gc-sections -T $5 \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(sweep_objects_$1:.o=.d) $$(sweep_out)/$1/tickwheel.d
endef
# How many failures are enough; and no two interrupts.
sweep_whole := -DSWEEP_ENOUGH=12 -DSWEEP_STRIDE=$(sweep_stride)
sweep_single := -DSWEEP_ENOUGH=12 -DSWEEP_STRIDE=0
sweep_short := -DSWEEP_ENOUGH=1 -DSWEEP_STRIDE=0
sweep_basepri := -DTICKWHEEL_LOCK_BASEPRI=0x40
# $1 = name, $2 = -O, $3 = flags, $4 = of the wheel as well
sweep_m4 = $(call sweep_image,$1,cortex-m4,$2,boards/netduinoplus2/board.cpp,linker/netduinoplus2.ld,\
    -DSWEEP_TIM2 -DSWEEP_CODE_BASE=0x08000000 $3,$4,netduinoplus2,0)
sweep_m0 = $(call sweep_image,$1,cortex-m0,$2,boards/microbit/board.cpp,linker/microbit.ld,\
    -DSWEEP_CODE_BASE=0 $3,$4,microbit,6)
$(eval $(call sweep_m4,m4-O2,-O2,$(sweep_whole)))
$(eval $(call sweep_m4,m4-Os,-Os,$(sweep_whole)))
$(eval $(call sweep_m4,m4-O2-basepri,-O2,$(sweep_single),$(sweep_basepri)))
$(eval $(call sweep_m0,m0-Os,-Os,$(sweep_single)))
$(eval $(call sweep_m4,short,-O2,$(sweep_short)))
$(eval $(call sweep_m4,short-basepri,-O2,$(sweep_short),$(sweep_basepri)))

$(sweep_out)/executed.so: test/races/sweep/executed.c bench/wheel/qemu_plugin.h test/races/sweep/sweep.mk | $(sweep_setup)
	@mkdir -p $(@D)
	@$(sweep_host_cc) -std=c11 -Wall -Wextra -O2 -fPIC -shared -fvisibility=hidden $< -o $@

# $1 = goal, $2 = images, $3 = after how many seconds an image counts as hung
define sweep_goal
$1: $$(patsubst %,$$(sweep_out)/%.elf,$2) $$(sweep_out)/executed.so
	@python3 -B test/races/sweep/sweep.py $3 $$(sweep_out)/executed.so $$(foreach image,$2,$$(sweep_run_$$(image)))
endef
## make sweep
##     Every pair of an operation and an interrupting one, interrupted after every number of instructions, in QEMU:
##     Cortex-M4, PRIMASK and BASEPRI. sweep-m0: the same on a Cortex-M0. sweep-short, sweep-short-basepri: up to the
##     first failure.
$(eval $(call sweep_goal,sweep,m4-O2 m4-Os m4-O2-basepri,600))
$(eval $(call sweep_goal,sweep-m0,m0-Os,900))
$(eval $(call sweep_goal,sweep-short,short,600))
$(eval $(call sweep_goal,sweep-short-basepri,short-basepri,600))
