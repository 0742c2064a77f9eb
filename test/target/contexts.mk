# SPDX-License-Identifier: MIT
# The wheel called from real interrupts, under each lock. Included by the Makefile
# of the root; also `make -f test/target/contexts.mk contexts` there.

contexts_out := build/contexts
# What must have been done before anything is built; an including Makefile may set it before.
contexts_setup ?=
contexts_core ?= core
contexts_port ?= port/cortex_m
contexts_cxx := arm-none-eabi-g++
contexts_flags := -std=c++17 -Os -g -mcpu=cortex-m3 -mthumb -ffreestanding -fno-exceptions -fno-rtti \
    -fno-threadsafe-statics -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
    -I$(contexts_core) -I$(contexts_port) -Wall -Wextra -Wshadow -Werror -MMD -MP
contexts_sources := test/target/contexts.cpp test/unit/main.cpp test/unit/before_main.cpp \
    boards/startup/startup.cpp boards/startup/memory.cpp boards/startup/cortex_m.cpp boards/mps2-an385/board.cpp
contexts_qemu := qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio \
    -semihosting-config enable=on,target=native -icount shift=3,align=off,sleep=off

.PHONY: contexts

# $1 = name, $2 = flags
define contexts_image
contexts_programs += $$(contexts_out)/$1.elf
contexts_tests += "$1 120 $$(contexts_qemu) -kernel $$(contexts_out)/$1.elf"
contexts_objects_$1 := $$(patsubst %.cpp,$$(contexts_out)/$1/%.o,$$(contexts_sources))
$$(contexts_objects_$1): $$(contexts_out)/$1/%.o: %.cpp test/target/contexts.mk | $$(contexts_setup)
	@mkdir -p $$(@D)
	@$$(contexts_cxx) $$(contexts_flags) $2 -c $$< -o $$@
$$(contexts_out)/$1/tickwheel.o: $$(contexts_core)/tickwheel.cpp test/target/contexts.mk | $$(contexts_setup)
	@mkdir -p $$(@D)
	@$$(contexts_cxx) $$(contexts_flags) $2 -c $$< -o $$@
$$(contexts_out)/$1.elf: $$(contexts_objects_$1) $$(contexts_out)/$1/tickwheel.o linker/mps2-an385.ld linker/sections.ld
	@$$(contexts_cxx) -mthumb -mcpu=cortex-m3 -nostdlib -nostartfiles -Wl,--gc-sections -T linker/mps2-an385.ld \
	    $$(filter %.o,$$^) -lgcc -o $$@
-include $$(contexts_objects_$1:.o=.d) $$(contexts_out)/$1/tickwheel.d
endef
$(eval $(call contexts_image,primask,))
$(eval $(call contexts_image,primask-debug,-DTICKWHEEL_DEBUG=1))
$(eval $(call contexts_image,basepri,-DTICKWHEEL_LOCK_BASEPRI=0x40))
$(eval $(call contexts_image,basepri-debug,-DTICKWHEEL_LOCK_BASEPRI=0x40 -DTICKWHEEL_DEBUG=1))
$(eval $(call contexts_image,basepri-erratum,-DTICKWHEEL_LOCK_BASEPRI=0x40 -DTICKWHEEL_ERRATUM_837070))

## make contexts
##     The three places to run callbacks, and the lock's effect on the interrupt mask, with real interrupts on a
##     Cortex-M3: PRIMASK and BASEPRI, with and without the debug checks.
contexts: $(contexts_programs)
	@test/run.py --out $(contexts_out)/results $(contexts_tests)
