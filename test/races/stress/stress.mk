# SPDX-License-Identifier: MIT
# The stress test. Included by the Makefile of the root; also
# `make -f test/races/stress/stress.mk stress` there.

# What must have been done before anything is built; an including Makefile may set it before.
stress_setup ?=
# Where the wheel's own sources and the port are, and what is built; other folders to stress a copy that was broken on
# purpose.
stress_core ?= core
stress_port ?= port/cortex_m
stress_out ?= build/stress
# For each image.
stress_operations ?= 200000
stress_soak_operations ?= 5000000
stress_cxx := arm-none-eabi-g++
stress_flags := -std=c++17 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -I$(stress_core) -I$(stress_port) -Wall -Wextra -MMD -MP
stress_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

.PHONY: stress soak

# $1 = name, $2 = CPU, $3 = -O, $4 = board and QEMU's machine, $5 = flags of all
define stress_image
stress_images += $$(stress_out)/$1.elf
stress_runs += $$(stress_out)/$1.elf $4
stress_objects_$1 := $$(patsubst %.cpp,$$(stress_out)/$1/%.o,test/races/stress/stress.cpp boards/$4/board.cpp \
    $$(stress_startup))
$$(stress_objects_$1): $$(stress_out)/$1/%.o: %.cpp test/races/stress/stress.mk | $$(stress_setup)
	@mkdir -p $$(@D)
	@$$(stress_cxx) $$(stress_flags) -mcpu=$2 $3 $5 -c $$< -o $$@
$$(stress_out)/$1/tickwheel.o: $$(stress_core)/tickwheel.cpp test/races/stress/stress.mk | $$(stress_setup)
	@mkdir -p $$(@D)
	@$$(stress_cxx) $$(stress_flags) -mcpu=$2 $3 $5 -c $$< -o $$@
$$(stress_out)/$1.elf: $$(stress_out)/$1/tickwheel.o $$(stress_objects_$1) linker/$4.ld linker/sections.ld
	@$$(stress_cxx) -mthumb -mcpu=$2 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/$4.ld \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(stress_objects_$1:.o=.d) $$(stress_out)/$1/tickwheel.d
endef
stress_m0 = $(call stress_image,m0-$1,cortex-m0,-$1,microbit,-DSTRESS_MICROBIT $2)
stress_m3 = $(call stress_image,m3-$1,cortex-m3,-$(firstword $(subst -, ,$1)),mps2-an385,-DSTRESS_AN385 $2)
stress_m33 = $(call stress_image,m33-$1,cortex-m33,-$(firstword $(subst -, ,$1)),mps2-an505,-DSTRESS_AN505 $2)
$(eval $(call stress_m0,Os))
$(eval $(call stress_m3,Os))
$(eval $(call stress_m3,O2))
$(eval $(call stress_m3,Os-basepri,-DTICKWHEEL_LOCK_BASEPRI=0x20))
$(eval $(call stress_m33,Os))
$(eval $(call stress_m33,Os-basepri,-DTICKWHEEL_LOCK_BASEPRI=0x20))

## make stress
##     Five contexts at random on the same timers, on a Cortex-M0, M3 and M33 in QEMU.
## make soak
##     The same for longer.
stress: $(stress_images)
	@python3 -B test/races/stress/stress.py $(stress_operations) 2 $(stress_runs)
soak: $(stress_images)
	@python3 -B test/races/stress/stress.py $(stress_soak_operations) 1 $(stress_runs)
