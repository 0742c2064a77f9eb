# SPDX-License-Identifier: MIT
# The port to FreeRTOS, on a stand-in for the kernel calls that it uses. The Makefile of the root includes this file.
freertos_out := build/freertos
freertos_sources := test/unit/main.cpp test/support/freertos/stand_in.cpp $(wildcard core/*.cpp port/freertos/*.cpp)
freertos_tests_sources := $(wildcard test/freertos/*.cpp)
freertos_host_sources := $(freertos_sources) $(filter-out %_board.cpp,$(freertos_tests_sources)) test/support/freertos/on_host.cpp
freertos_board_sources := $(freertos_sources) $(filter-out %_host.cpp,$(freertos_tests_sources)) \
	test/support/freertos/on_cortex_m.cpp $(wildcard boards/startup/*.cpp boards/mps2-an385/*.cpp)
freertos_flags := -g -std=c++17 $(TEST_WARNINGS) -Icore -Iport/freertos -Itest/support/freertos -Itest/freertos
# Tasks are contexts that the address sanitizer does not know.
freertos_sanitize := -fsanitize=undefined -fno-sanitize-recover=all

# $(1) name, $(2) compiler, $(3) flags. main.cpp of the unit tests runs in a task.
define freertos_objects
$(call objects_in,$(freertos_out)/$(1),$(2),$(freertos_flags) $(3))
$(call objects_in,$(freertos_out)/$(1),$(2),$(freertos_flags) $(3) -Dmain=unit_main,test/unit/)
endef
# $(1) name, $(2) flags
define freertos_host
$(call freertos_objects,$(1),$(CXX),-O0 $(freertos_sanitize) -Iport/host -DTICKWHEEL_TEST_HOST $(2))
$(freertos_out)/$(1)/firmware: $(freertos_host_sources:%.cpp=$(freertos_out)/$(1)/%.o)
	$(call say,$$@)$(CXX) $(freertos_sanitize) $$^ -o $$@
freertos_programs += $(freertos_out)/$(1)/firmware
freertos_results += "$(1) 120 $(freertos_out)/$(1)/firmware"
endef
define freertos_board
$(call freertos_objects,$(1),$(ARM_CXX),-mcpu=cortex-m3 -mthumb $(FREESTANDING) -Iport/cortex_m $(2))
$(freertos_out)/$(1).elf: $(freertos_board_sources:%.cpp=$(freertos_out)/$(1)/%.o) linker/mps2-an385.ld linker/sections.ld
	$(call say,$$@)$(ARM_CXX) -mcpu=cortex-m3 -mthumb -nostdlib -nostartfiles -Wl,--gc-sections -Wl,-z,noexecstack \
		-T linker/mps2-an385.ld $$(filter %.o,$$^) -lgcc -o $$@
freertos_programs += $(freertos_out)/$(1).elf
freertos_results += "$(1) 120 qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio \
	-icount shift=3,align=off,sleep=off -semihosting-config enable=on,target=native -kernel $(freertos_out)/$(1).elf"
endef
$(eval $(call freertos_host,freertos-host,-DSTAND_IN_KERNEL=11))
$(eval $(call freertos_host,freertos-host-10,-DSTAND_IN_KERNEL=10 -DconfigINITIAL_TICK_COUNT=1000000 $(call variant_flags,6-4-debug)))
$(eval $(call freertos_board,freertos-mps2-an385,-Os -DSTAND_IN_KERNEL=11))
$(eval $(call freertos_board,freertos-mps2-an385-basepri,-O2 -DSTAND_IN_KERNEL=11 -DTICKWHEEL_LOCK_BASEPRI=0x40))
$(eval $(call freertos_board,freertos-mps2-an385-debug,-Os -DSTAND_IN_KERNEL=10 $(call variant_flags,8-6-debug)))

## make test-freertos
##     The port to FreeRTOS on a stand-in for the kernel: software timers, tickless sleep, the task of the callbacks, on
##     the host and on a Cortex-M3 in QEMU with real interrupts above and below the lock.
.PHONY: test-freertos
test-freertos: $(freertos_programs)
	@test/run.py --out $(freertos_out)/results $(freertos_results)
