# SPDX-License-Identifier: MIT
# Firmware for a board.

FIRMWARE := build/$(BOARD)
# A RISC-V board names the prefix of its compiler, BOARD_CROSS.
riscv_board := $(filter $(BOARD_CPU),$(CPUS_RISCV))
ar_board    := $(filter $(BOARD_CPU),$(CPUS_AR))
FIRMWARE_CXX := $(if $(riscv_board),$(BOARD_CROSS)g++,$(ARM_CXX))
FIRMWARE_CC  := $(if $(riscv_board),$(BOARD_CROSS)gcc,$(ARM_CC))
FIRMWARE_AR  := $(if $(riscv_board),$(BOARD_CROSS)ar,$(ARM_AR))
FIRMWARE_CLANG := $(if $(riscv_board),$(CLANG_RISCV),$(CLANG_ARM))
BOARD_SOURCES := $(if $(riscv_board)$(ar_board),boards/startup/memory.cpp \
	$(if $(ar_board),boards/startup/cortex_ar/cortex_ar.cpp,boards/startup/riscv/riscv.cpp),\
	$(wildcard boards/startup/*.cpp)) $(wildcard boards/$(BOARD)/*.cpp)
WHEEL_SOURCES := $(wildcard core/*.cpp) $(if $(riscv_board)$(ar_board),,port/cortex_m_systick/tickwheel_systick.cpp)
FIRMWARE_PORTS := $(or $(BOARD_PORT),$(if $(riscv_board),riscv,$(if $(ar_board),cortex_ar,cortex_m))) \
	$(if $(riscv_board),riscv_clint) cortex_m_systick smp
# GCC takes the floating-point unit from the CPU.
FIRMWARE_ABI   := $(if $(riscv_board),$(call riscv_abi,$(BOARD_CPU)),\
	-mcpu=$(BOARD_CPU) -m$(or $(BOARD_ISA),thumb) $(if $(ar_board),-mno-unaligned-access) -mfloat-abi=$(or $(BOARD_FLOAT),soft))
FIRMWARE_CPU   := $(OPT) -g $(FIRMWARE_ABI)
FIRMWARE_FLAGS := $(FIRMWARE_CPU) $(FREESTANDING) -Icore $(FIRMWARE_PORTS:%=-Iport/%) \
	$(HZ_FLAGS) $(if $(BOARD_SYSTICK_RESTART_COST),-DTICKWHEEL_SYSTICK_RESTART_COST=$(BOARD_SYSTICK_RESTART_COST))
# An object by clang says that the stack need not be executable, and one by GCC does not. -z says it for all.
FIRMWARE_LINK := $(FIRMWARE_CXX) $(FIRMWARE_ABI) -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings \
	-Wl,-z,noexecstack
# test/check/vendor has the headers of a C and C++ library that a toolchain lacks: GCC's <chrono> includes <time.h>.
FIRMWARE_TESTS := $(TEST_WARNINGS) -idirafter test/check/vendor
# GCC 13 and 14 refuse <chrono> with -ffreestanding, so chrono.cpp is compiled without it. A stem is never empty: test/unit/chron.

FIRMWARE_VARIANTS := $(sort $(VARIANTS) $(asked_variant))

# $(1) variant
define firmware_of
$(call objects_in,$(FIRMWARE)/$(1),$(FIRMWARE_CXX),$(FIRMWARE_FLAGS) $(call warnings,$(FIRMWARE_CXX)) \
	$(call variant_flags,$(1)))
$(call objects_in,$(FIRMWARE)/$(1),$(FIRMWARE_CXX),$(FIRMWARE_FLAGS) $(FIRMWARE_TESTS) $(call variant_flags,$(1)),test/)
$(call objects_in,$(FIRMWARE)/$(1),$(FIRMWARE_CXX),$(filter-out -ffreestanding,$(FIRMWARE_FLAGS)) $(FIRMWARE_TESTS) \
	$(call variant_flags,$(1)),test/unit/chron)
$(call objects_in,$(FIRMWARE)/$(1),$(FIRMWARE_CC),$(FIRMWARE_CPU) -std=c11 $(FREESTANDING_C) $(TEST_WARNINGS) -Icore \
	$(HZ_FLAGS) $(call variant_flags,$(1)),test/,c)
$(call archive,$(FIRMWARE)/$(1)/libwheel.a,$(FIRMWARE_AR),$(patsubst %.cpp,$(FIRMWARE)/$(1)/%.o,$(if $(findstring one_shot,$(1)),core/tickwheel.cpp,$(WHEEL_SOURCES))))
$(FIRMWARE)/$(1)/%.elf: $(wildcard linker/*.ld)
	$(call say,$$@)$(FIRMWARE_LINK) $$(addprefix -T ,$$(filter examples/%.ld,$$^) linker/$(BOARD).ld) \
		$$(filter %.o %.a,$$^) -lgcc -o $$@$(if $(BOARD_AFTER_LINK), && $(BOARD_AFTER_LINK) $$@)
endef
$(foreach variant,$(FIRMWARE_VARIANTS),$(eval $(call firmware_of,$(variant))))

# $(1) variant, $(2) name of the program, $(3) its sources. An example for a chip with less memory has a linker script, too.
define program
$(FIRMWARE)/$(1)/$(2).elf: $$(patsubst %,$(FIRMWARE)/$(1)/%.o,$$(basename $(3) $(BOARD_SOURCES))) \
	$(FIRMWARE)/$(1)/libwheel.a $(wildcard examples/$(2)/*.ld)
endef
EXAMPLES := $(foreach example,$(all_examples),\
	$(if $(filter $(BOARD),$(call boards_of,$(example))),$(filter-out $(BOARD_LEAVES_OUT:examples/%=%),$(example))))
$(foreach variant,$(FIRMWARE_VARIANTS),$(foreach example,$(EXAMPLES),\
	$(eval $(call program,$(variant),$(example),$(wildcard examples/$(example)/*.cpp)))))

#: run
## make run [BOARD=] [EXAMPLE=] [HZ=] [OPT=] [GEOMETRY=] [DEBUG=] [V=1]
##     Runs a firmware in the emulator. On a terminal time passes as it does outside. Otherwise every run prints the same.
##     A fault or a timer in a wrong tick ends it with an exit code.
##     BOARD: BOARDS
##     EXAMPLE: EXAMPLES
##     V=1 shows the commands of any goal. Each variable takes one value, and a number is decimal, without a zero in front.
## make elf [BOARD=] [EXAMPLE=] [HZ=] [OPT=] [GEOMETRY=] [DEBUG=]
##     Only builds it, also for a board that no emulator has: build/<board>/86/<example>.elf. The folder of
##     GEOMETRY=64 DEBUG=1 is 64-debug.
.PHONY: run elf
run elf: $(FIRMWARE)/$(asked_variant)/$(EXAMPLE).elf
run:
	@if test -t 1; then echo 'leave: Ctrl-C'; exact=; else exact='$(BOARD_QEMU_EXACT)'; fi; \
		$(BOARD_QEMU) $$exact -kernel $< </dev/null
