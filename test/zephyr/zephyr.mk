# SPDX-License-Identifier: MIT
# The port to Zephyr, behind a stand-in for the kernel's front end. The Makefile of the root includes this file.
zephyr_out := build/zephyr
zephyr_sources := test/support/zephyr/stand_in.cpp core/tickwheel.cpp $(wildcard test/zephyr/*.cpp)
zephyr_board_sources := test/unit/main.cpp $(zephyr_sources) $(wildcard boards/startup/*.cpp boards/mps2-an385/*.cpp)
# CMakeLists.txt of the port has these too: a node is two types, and the kernel has one compiler for all files.
zephyr_flags := -g -fno-strict-aliasing -Icore -Iport/zephyr -Itest/support/zephyr -DTICKWHEEL_HOOKS=1 \
	-DTICKWHEEL_ARM_RUNNING_TICK=1
# The port has the warnings of the library.
zephyr_c_warnings = $(filter-out -Wold-style-cast -Wuseless-cast,$(call warnings,$(1))) -Wmissing-prototypes

# For a kernel that has its list and marks in timeout.c.
zephyr_list := -DTICKWHEEL_TEST_LIST -DCONFIG_ZTEST -DADD_RETURNS_TICK=1 -DTICKWHEEL_ABORT_TELLS_DRIVER=1 \
	-DTICKWHEEL_ADD_RETURNS_TICK=1 -DTICKWHEEL_MARKS_ANNOUNCING=1 -Itest/zephyr/module_list/include

# $(1) folder, $(2) C++ compiler, $(3) C compiler, $(4) flags, $(5) those for C++ alone
define zephyr_objects
$(call objects_in,$(zephyr_out)/$(1),$(2),-std=c++17 $(TEST_WARNINGS) $(4) $(zephyr_flags) $(5))
$(call objects_in,$(zephyr_out)/$(1),$(2),-std=c++17 $(call warnings,$(2)) $(4) $(zephyr_flags) $(5),core/)
$(call objects_in,$(zephyr_out)/$(1),$(3),-std=c11 $(call zephyr_c_warnings,$(3)) $(4) $(zephyr_flags),port/,c)
endef
# $(1) name, $(2) C++ compiler, $(3) C compiler, $(4) flags, $(5) the front end
define zephyr_host
$(call zephyr_objects,$(1),$(2),$(3),$(4) -DTICKWHEEL_TEST_HOST)
$(zephyr_out)/$(1)/timeouts: $(patsubst %,$(zephyr_out)/$(1)/%.o,$(basename $(zephyr_sources)) port/zephyr/$(5)) $(TEST_MAIN)
	$(call say,$$@)$(2) $(4) $$^ -o $$@
zephyr_programs += $(zephyr_out)/$(1)/timeouts
zephyr_results += "$(1) 300 $(zephyr_out)/$(1)/timeouts"
endef
# $(1) name, $(2) flags, $(3) the front end
define zephyr_board
$(call zephyr_objects,$(1),$(ARM_CXX),$(ARM_CC),-mcpu=cortex-m3 -mthumb $(FREESTANDING_C) $(2),$(FREESTANDING) -idirafter test/check/vendor)
$(zephyr_out)/$(1).elf: $(patsubst %,$(zephyr_out)/$(1)/%.o,$(basename $(zephyr_board_sources)) port/zephyr/$(3)) \
	linker/mps2-an385.ld linker/sections.ld
	$(call say,$$@)$(ARM_CXX) -mcpu=cortex-m3 -mthumb -nostdlib -nostartfiles -Wl,--gc-sections -Wl,-z,noexecstack \
		-T linker/mps2-an385.ld $$(filter %.o,$$^) -lgcc -o $$@
zephyr_programs += $(zephyr_out)/$(1).elf
zephyr_results += "$(1) 300 qemu-system-arm -M mps2-an385 -display none -monitor none -serial stdio \
	-icount shift=3,align=off,sleep=off -semihosting-config enable=on,target=native -kernel $(zephyr_out)/$(1).elf"
endef
$(eval $(call zephyr_host,zephyr-host,$(CXX),$(CC),-O0 $(SANITIZE),kernel_timeout))
$(eval $(call zephyr_host,zephyr-host-list,$(CXX),$(CC),-O0 $(SANITIZE) $(zephyr_list),kernel_timeout_list))
$(eval $(call zephyr_host,zephyr-host-clang,clang++-$(LLVM),clang-$(LLVM),-O2,kernel_timeout))
$(eval $(call zephyr_board,zephyr-mps2-an385,-Os,kernel_timeout))
$(eval $(call zephyr_board,zephyr-mps2-an385-list,-Os $(zephyr_list),kernel_timeout_list))
zephyr_results += "zephyr-module 300 test/zephyr/module.sh"

## make test-zephyr
##     The port to Zephyr behind a stand-in for the kernel's front end, on the host and on a Cortex-M3 in QEMU; and its
##     CMake.
.PHONY: test-zephyr
test-zephyr: $(zephyr_programs)
	@test/run_tests.py --out $(zephyr_out)/results $(zephyr_results)
