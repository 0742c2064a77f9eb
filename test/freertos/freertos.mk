# SPDX-License-Identifier: MIT
# The port to FreeRTOS, on a stand-in for the kernel calls that it uses. The Makefile of the root includes this file.
freertos_out := build/freertos
freertos_sources := test/unit/main.cpp test/support/freertos/stand_in.cpp test/support/freertos/on_cortex_m.cpp \
	$(wildcard core/*.cpp port/freertos/*.cpp test/freertos/*.cpp boards/startup/*.cpp boards/mps2-an385/*.cpp)
freertos_flags := -g -std=c++17 $(TEST_WARNINGS) -Icore -Iport/freertos -Itest/support/freertos -Itest/freertos \
	-mcpu=cortex-m3 -mthumb $(FREESTANDING) -Iport/cortex_m

# $(1) name, $(2) flags. main.cpp of the unit tests runs in a task.
define freertos_firmware
$(call objects_in,$(freertos_out)/$(1),$(ARM_CXX),$(freertos_flags) $(2))
$(call objects_in,$(freertos_out)/$(1),$(ARM_CXX),$(freertos_flags) $(2) -Dmain=unit_main,test/unit/)
$(freertos_out)/$(1).elf: $(freertos_sources:%.cpp=$(freertos_out)/$(1)/%.o) linker/mps2-an385.ld linker/sections.ld
	$(call say,$$@)$(ARM_CXX) -mcpu=cortex-m3 -mthumb -nostdlib -nostartfiles -Wl,--gc-sections -Wl,-z,noexecstack \
		-T linker/mps2-an385.ld $$(filter %.o,$$^) -lgcc -o $$@
freertos_programs += $(freertos_out)/$(1).elf
freertos_results += "$(1) 10 qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio \
	-icount shift=6,align=off,sleep=off -semihosting-config enable=on,target=native -kernel $(freertos_out)/$(1).elf"
endef
$(eval $(call freertos_firmware,freertos,-Os -DSTAND_IN_KERNEL=11))
$(eval $(call freertos_firmware,freertos-basepri,-O2 -DSTAND_IN_KERNEL=11 -DTICKWHEEL_LOCK_BASEPRI=0x40))
# jiffies and the kernel's count wrap in random_arms.cpp.
$(eval $(call freertos_firmware,freertos-10-debug,-Os -DSTAND_IN_KERNEL=10 -DTICKWHEEL_HZ=1000000 \
	-DconfigINITIAL_TICK_COUNT=4294952000 -DTICKWHEEL_INITIAL_JIFFIES=4294952000u $(call variant_flags,64-debug)))
$(eval $(call freertos_firmware,freertos-list,-Os -DSTAND_IN_KERNEL=11 $(call variant_flags,1)))

## make test-freertos
##     The port to FreeRTOS on a stand-in for the kernel: software timers, tickless sleep, the task of the callbacks, on
##     a Cortex-M3 in QEMU with real interrupts above and below the lock.
.PHONY: test-freertos
test-freertos: $(freertos_programs)
	@test/run_tests.py --out $(freertos_out)/results $(freertos_results)
