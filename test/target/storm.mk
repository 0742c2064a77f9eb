# SPDX-License-Identifier: MIT
# The storm of interrupts. Included by the Makefile of the root; also
# `make -f test/target/storm.mk storm` there.

# What must have been done before anything is built; an including Makefile may set it before.
storm_setup ?=
# Where the wheel's own sources and the port are, and what is built; other folders to storm a copy that was broken on
# purpose.
storm_core ?= core
storm_port ?= port/cortex_m
storm_out ?= build/storm
# For each image.
storm_operations ?= 200000
storm_soak_operations ?= 5000000
storm_cxx := arm-none-eabi-g++
storm_flags := -std=c++17 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -I$(storm_core) -I$(storm_port) -Wall -Wextra -MMD -MP
storm_startup := boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp

.PHONY: storm soak

# $1 = name, $2 = CPU, $3 = -O, $4 = board and QEMU's machine, $5 = flags of all
define storm_image
storm_images += $$(storm_out)/$1.elf
storm_runs += $$(storm_out)/$1.elf $4
storm_objects_$1 := $$(patsubst %.cpp,$$(storm_out)/$1/%.o,test/target/storm.cpp boards/$4/board.cpp \
    $$(storm_startup))
$$(storm_objects_$1): $$(storm_out)/$1/%.o: %.cpp test/target/storm.mk | $$(storm_setup)
	@mkdir -p $$(@D)
	@$$(storm_cxx) $$(storm_flags) -mcpu=$2 $3 $5 -c $$< -o $$@
$$(storm_out)/$1/tickwheel.o: $$(storm_core)/tickwheel.cpp test/target/storm.mk | $$(storm_setup)
	@mkdir -p $$(@D)
	@$$(storm_cxx) $$(storm_flags) -mcpu=$2 $3 $5 -c $$< -o $$@
$$(storm_out)/$1.elf: $$(storm_out)/$1/tickwheel.o $$(storm_objects_$1) linker/$4.ld linker/sections.ld
	@$$(storm_cxx) -mthumb -mcpu=$2 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/$4.ld \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(storm_objects_$1:.o=.d) $$(storm_out)/$1/tickwheel.d
endef
storm_m0 = $(call storm_image,m0-$1,cortex-m0,-$1,microbit,-DSTORM_MICROBIT $2)
storm_m3 = $(call storm_image,m3-$1,cortex-m3,-$(firstword $(subst -, ,$1)),mps2-an385,-DSTORM_AN385 $2)
storm_m33 = $(call storm_image,m33-$1,cortex-m33,-$(firstword $(subst -, ,$1)),mps2-an505,-DSTORM_AN505 $2)
$(eval $(call storm_m0,Os))
$(eval $(call storm_m3,Os))
$(eval $(call storm_m3,O2))
$(eval $(call storm_m3,Os-basepri,-DTICKWHEEL_LOCK_BASEPRI=0x20))
$(eval $(call storm_m33,Os))
$(eval $(call storm_m33,Os-basepri,-DTICKWHEEL_LOCK_BASEPRI=0x20))

## make storm
##     Five contexts at random on the same timers, on a Cortex-M0, M3 and M33 in QEMU.
## make soak
##     The same for longer.
storm: $(storm_images)
	@python3 -B test/target/storm.py $(storm_operations) 2 $(storm_runs)
soak: $(storm_images)
	@python3 -B test/target/storm.py $(storm_soak_operations) 1 $(storm_runs)
