# SPDX-License-Identifier: MIT
# Every command of tickwheel; `make help` lists them. All that is built goes to build/.

BOARD   ?= mps2-an385
EXAMPLE ?= shell
CPU     ?= cortex-m3
OPT     ?= -Os
FLOAT   ?= soft
LOCK    ?= primask
GEOMETRY ?= 8,6
DEBUG   ?= 0
OPS     ?= 1000000
SEED    ?= 1
V       ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

ifeq ($(origin CXX),default)
CXX := g++
endif
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
# A GCC for Arm is no PC's compiler: it says what CROSS says.
ifneq ($(and $(findstring arm,$(notdir $(CXX))),$(filter %g++,$(CXX))),)
ifeq ($(origin CROSS),undefined)
export CROSS := $(CXX:%g++=%)
endif
override CXX := g++
endif
CROSS   ?= arm-none-eabi-
ARM_CXX ?= $(CROSS)g++
ARM_CC  ?= $(CROSS)gcc
ARM_AR  ?= $(CROSS)ar

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# --- What was asked for, checked ------------------------------------------------------------------------------------

# A misspelt variable would be ignored. A make of somebody else's hands its own down, so a make below one is not asked.
KNOWN := BOARD EXAMPLE CPU OPT FLOAT LOCK HZ GEOMETRY DEBUG LIB CROSS CXX CC AR ARM_CXX ARM_CC ARM_AR OPS SEED HOURS V JOBS
unknown := $(filter-out $(KNOWN) NO_SETUP CI MAKE SHELL MAKEFLAGS target_% contexts_% storm_% sleep_% interleavings_% \
	counter_%,$(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name))))
ifeq ($(MAKELEVEL),0)
ifneq ($(strip $(unknown)),)
$(error $(firstword $(unknown))=: no such variable; there are $(KNOWN))
endif
endif

CPUS       := cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 cortex-m23 cortex-m33 cortex-m35p cortex-m55
CPUS_FLOAT := cortex-m4 cortex-m7 cortex-m33 cortex-m35p cortex-m55
CPUS_SMALL := cortex-m0 cortex-m0plus cortex-m1 cortex-m23

# In decimal, also when it was given as the register has it: 0x60.
basepri := $(patsubst basepri:%,%,$(filter basepri:%,$(LOCK)))
basepri := $(if $(filter 0x% 0X%,$(basepri)),$(shell printf '%d' '$(basepri)' 2>/dev/null),$(basepri))
# Not empty when $(1) is a plain number from $(2) to $(3).
number = $(shell test '$(1)' = "$$(expr '$(1)' : '\([1-9][0-9]*\)$$')" && test '$(1)' -ge $(2) && test '$(1)' -le $(3) && echo yes)

ifeq ($(filter $(CPU),host $(CPUS)),)
$(error CPU=$(CPU): one of host $(CPUS))
endif
ifeq ($(filter $(OPT),-O0 -Og -O1 -O2 -O3 -Os),)
$(error OPT=$(OPT): one of -O0 -Og -O1 -O2 -O3 -Os)
endif
ifeq ($(filter $(FLOAT),soft softfp hard),)
$(error FLOAT=$(FLOAT): one of soft softfp hard)
endif
ifneq ($(FLOAT),soft)
ifeq ($(filter $(CPU),$(CPUS_FLOAT)),)
$(error FLOAT=$(FLOAT): CPU=$(CPU) has no floating point unit; these have: $(CPUS_FLOAT))
endif
endif
ifneq ($(LOCK),primask)
ifeq ($(CPU),host)
$(error LOCK=$(LOCK): is for Cortex-M; CPU=host has its own lock)
endif
ifneq ($(LOCK),none)
ifeq ($(call number,$(basepri),1,255),)
$(error LOCK=$(LOCK): one of primask, none, basepri:PRIORITY with PRIORITY from 1 to 255)
endif
ifneq ($(filter $(CPU),$(CPUS_SMALL)),)
$(error LOCK=$(LOCK): CPU=$(CPU) has no BASEPRI)
endif
endif
endif
comma := ,
space := $(comma:,=) $(comma:,=)
legal_geometries := $(foreach tvr,5 6 7 8,$(foreach tvn,2 3 4 5 6,$(tvr)$(comma)$(tvn)))
ifneq ($(filter lib,$(MAKECMDGOALS)),)
ifeq ($(filter $(GEOMETRY),$(legal_geometries)),)
$(error GEOMETRY=$(GEOMETRY): bits of tv1 and of tv2..tv5, 5 to 8 and 2 to 6: 8,6 or 6,4)
endif
ifeq ($(filter $(DEBUG),0 1),)
$(error DEBUG=$(DEBUG): one of 0 1)
endif
endif
# A BOARD or an EXAMPLE that the environment has for somebody else is not asked of goals without one.
ifeq ($(filter-out help lib docs setup clean,$(or $(MAKECMDGOALS),help)),)
override BOARD   := mps2-an385
override EXAMPLE := shell
endif
ifeq ($(wildcard boards/$(BOARD)/board.mk),)
$(error BOARD=$(BOARD): one of $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))
endif
ifeq ($(wildcard examples/$(EXAMPLE)/main.cpp),)
$(error EXAMPLE=$(EXAMPLE): one of $(patsubst examples/%/main.cpp,%,$(wildcard examples/*/main.cpp)))
endif

# An example that some boards cannot run names those that can, in boards.txt.
boards_of = $(or $(shell cat examples/$(1)/boards.txt 2>/dev/null),$(BOARD))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(call boards_of,$(EXAMPLE))),)
$(error EXAMPLE=$(EXAMPLE): needs BOARD=$(firstword $(call boards_of,$(EXAMPLE))); `make elf EXAMPLE=$(EXAMPLE) \
	BOARD=$(firstword $(call boards_of,$(EXAMPLE)))` builds it)
endif
endif

include boards/$(BOARD)/board.mk
HZ ?= $(or $(BOARD_HZ),1000)

ifneq ($(HZ),1000)
ifeq ($(call number,$(HZ),1,100000),)
$(error HZ=$(HZ): a number from 1 to 100000)
endif
endif
ifeq ($(BOARD_QEMU),)
ifneq ($(filter run test test-results test-all test-all-results,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): no emulator has this board; `make elf BOARD=$(BOARD)` builds for the real one)
endif
endif

# --- Flags ----------------------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wold-style-cast -Wcast-align \
	-Wcast-qual -Wdouble-promotion -Wnull-dereference -Werror
TEST_WARNINGS := -Wall -Wextra -Wshadow -Werror
GCC_WARNINGS := -Wuseless-cast -Wduplicated-cond -Wlogical-op
FREESTANDING_C := -ffreestanding -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections
FREESTANDING   := -std=c++17 $(FREESTANDING_C) -fno-exceptions -fno-rtti -fno-threadsafe-statics
# One clang is for every CPU. The headers that it needs are its own; enumerations as arm-none-eabi-gcc has them.
CLANG_ARM := --target=arm-none-eabi -nostdlibinc -fshort-enums
# Those of GCC's own, when $(1) is GCC.
warnings = $(WARNINGS) $(if $(findstring clang,$(1)),,$(GCC_WARNINGS))

LOCK_FLAGS := $(if $(basepri),-DTICKWHEEL_LOCK_BASEPRI=$(basepri)$(if $(filter cortex-m7,$(CPU)), -DTICKWHEEL_ERRATUM_837070),\
	$(if $(filter none,$(LOCK)),-DTICKWHEEL_LOCK_NONE))
HZ_FLAGS   := $(if $(filter-out 1000,$(HZ)),-DTICKWHEEL_HZ=$(HZ))

# A variant is the geometry, tv1's bits and tvN's, and perhaps debug: 8-6, 6-4, 8-6-debug, 6-4-debug.
GEOMETRIES := 8-6 6-4
VARIANTS   := $(GEOMETRIES) $(GEOMETRIES:%=%-debug)
variant_flags = -DTICKWHEEL_TVR_BITS=$(word 1,$(subst -, ,$(1))) -DTICKWHEEL_TVN_BITS=$(word 2,$(subst -, ,$(1))) \
	-DTICKWHEEL_DEBUG=$(if $(findstring debug,$(1)),1,0)

# One short line for each file that is built; V=1 shows the commands instead.
say = $(if $(V),,@echo "build $(1)"; )

# Objects in folder $(1), by compiler $(2) with flags $(3), of the sources below $(4) (core/, or nothing for all). They are
# built again when these change: flags.txt is written only then.
define objects_in
$(1)/$(4)%.o: $(4)%.cpp $(1)/$(4)flags.txt
	@mkdir -p $$(@D)
	$(call say,$$@)$(2) $(3) -MMD -MP -c $$< -o $$@
$(1)/$(4)flags.txt: always | setup
	@mkdir -p $$(@D)
	@echo '$(2) $(3)' | cmp -s - $$@ || echo '$(2) $(3)' >$$@
endef
# The same of sources in C.
define c_objects_in
$(1)/$(4)%.o: $(4)%.c $(1)/$(4)flags-c.txt
	@mkdir -p $$(@D)
	$(call say,$$@)$(2) $(3) -MMD -MP -c $$< -o $$@
$(1)/$(4)flags-c.txt: always | setup
	@mkdir -p $$(@D)
	@echo '$(2) $(3)' | cmp -s - $$@ || echo '$(2) $(3)' >$$@
endef

# --- Set-up ---------------------------------------------------------------------------------------------------------

# What the goals need; a plain `make` or `make clean` needs nothing. `make run` and `make test` install it, and on a CI
# server every goal does. The others say what is missing and how to install it.
tools_for_lib  = $(if $(filter host,$(CPU)),host,arm $(if $(findstring clang,$(CXX)),host))
tools_for_run  = arm qemu
tools_for_test = arm qemu host doctest python
tools_for_fuzz = host $(if $(findstring clang,$(CXX)),clang)
tools_for_bench = arm qemu host python
tools_for_conformance = arm qemu host doctest
tools_for_bench_host = host python benchmark
TOOLS = $(sort $(if $(filter setup,$(MAKECMDGOALS)),arm qemu host doctest python coverage clang cmake benchmark \
	doxygen riscv) \
	$(if $(filter lib,$(MAKECMDGOALS)),$(tools_for_lib)) \
	$(if $(filter run elf cycles boards,$(MAKECMDGOALS)),$(tools_for_run) $(BOARD_TOOLS)) \
	$(if $(filter test test-results,$(MAKECMDGOALS)),$(tools_for_test)) \
	$(if $(filter fuzz,$(MAKECMDGOALS)),$(tools_for_fuzz)) \
	$(if $(filter fuzz-long,$(MAKECMDGOALS)),host clang) \
	$(if $(filter bench bench-short size size-features figures figures-check latency sweep sweep-m0 sweep-short \
	sweep-short-basepri contexts storm soak soak-sleep masked-sleep time-of-day interleavings sleep,$(MAKECMDGOALS)),$(tools_for_bench)) \
	$(if $(filter bench-peers plots,$(MAKECMDGOALS)),$(tools_for_bench)) \
	$(if $(filter conformance test-all test-all-results,$(MAKECMDGOALS)),$(tools_for_conformance)) \
	$(if $(filter bench-host plots-host,$(MAKECMDGOALS)),$(tools_for_bench_host)) \
	$(if $(filter coverage,$(MAKECMDGOALS)),$(tools_for_test) coverage) \
	$(if $(filter test-all test-all-results check mutants mutants-short,$(MAKECMDGOALS)),$(tools_for_test) clang) \
	$(if $(filter test-all test-all-results,$(MAKECMDGOALS)),cmake riscv) \
	$(if $(filter masked,$(MAKECMDGOALS)),arm host clang python) \
	$(if $(filter docs check,$(MAKECMDGOALS)),doxygen))

## make setup
##     Installs the Debian packages that any of these commands needs. make run and make test install their own; the
##     others only say what is missing.
.PHONY: setup always help
setup:
	@CXX='$(CXX)' ARM_CXX='$(ARM_CXX)' test/install_packages.sh \
		$(if $(or $(filter setup run test,$(MAKECMDGOALS)),$(filter true,$(CI))),,--check) $(TOOLS)
always:

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

# --- The library ----------------------------------------------------------------------------------------------------

## make lib [CPU=] [OPT=] [FLOAT=] [LOCK=] [HZ=] [GEOMETRY=] [DEBUG=] [CROSS=] [CXX=clang++] [LIB=]
##     build/lib/<cpu>/libtickwheel.a, and libtickwheel_systick.a for a Cortex-M. It prints where they are: the folder's
##     name says what is not the default. LIB: another folder.
##     CPU: host or cortex-m0, m0plus, m1, m3, m4, m7, m23, m33, m35p, m55. OPT: -Os, -O2, -Og, ..
##     FLOAT: soft, softfp, hard. LOCK: primask, none, basepri:<priority>. HZ: ticks a second.
##     GEOMETRY: bits of tv1 and of tv2..tv5, 8,6 or 6,4. DEBUG: 1 reports misuse to tickwheel_bug().
##     CROSS: what the names of your GCC and ar begin with, /opt/gcc/bin/arm-none-eabi-. By clang when CXX is one.
lib_variant := $(subst $(comma),-,$(filter $(legal_geometries),$(GEOMETRY)))$(if $(filter 1,$(DEBUG)),-debug)
lib_choices := $(filter-out -Os,$(OPT)) $(filter-out -soft,-$(FLOAT)) $(filter-out -primask,-$(subst :,-,$(LOCK))) \
	$(filter-out -hz1000,-hz$(HZ)) $(patsubst -8-6%,%,-$(lib_variant)) $(if $(findstring clang,$(CXX)),-clang)
LIB := build/lib/$(CPU)$(subst $(space),,$(strip $(lib_choices)))
LIB_CORE_OBJECTS    := $(LIB)/core/tickwheel.o $(LIB)/core/tickwheel_bug.o
LIB_SYSTICK_OBJECTS := $(LIB)/port/cortex_m_systick/tickwheel_systick.o

ifeq ($(CPU),host)
LIB_CXX   := $(CXX)
LIB_AR    := $(AR)
LIB_FLAGS := -Icore -Iport/host
LIB_FILES := $(LIB)/libtickwheel.a
else
LIB_CXX   := $(if $(findstring clang,$(CXX)),$(CXX) $(CLANG_ARM),$(ARM_CXX))
LIB_AR    := $(ARM_AR)
LIB_FLAGS := -mcpu=$(CPU) -mthumb -mfloat-abi=$(FLOAT) -Icore -Iport/cortex_m -Iport/cortex_m_systick
LIB_FILES := $(LIB)/libtickwheel.a $(LIB)/libtickwheel_systick.a
endif
$(eval $(call objects_in,$(LIB),$(LIB_CXX),$(OPT) -g $(FREESTANDING) $(call warnings,$(LIB_CXX)) $(LIB_FLAGS) $(LOCK_FLAGS) $(HZ_FLAGS) \
	$(call variant_flags,$(lib_variant))))

.PHONY: lib
lib: $(LIB_FILES)
	@printf '%s\n' $(LIB_FILES)
$(LIB)/libtickwheel.a: $(LIB_CORE_OBJECTS)
$(LIB)/libtickwheel_systick.a: $(LIB_SYSTICK_OBJECTS)
$(LIB)/%.a:
	@rm -f $@
	$(call say,$@)$(LIB_AR) rcsD $@ $^

# --- Firmware for a board -------------------------------------------------------------------------------------------

FIRMWARE := build/$(BOARD)
BOARD_SOURCES := $(wildcard boards/startup/*.cpp boards/$(BOARD)/*.cpp)
WHEEL_SOURCES := core/tickwheel.cpp core/tickwheel_bug.cpp port/cortex_m_systick/tickwheel_systick.cpp
# GCC takes the floating-point unit from the CPU.
FIRMWARE_ABI   := -mcpu=$(BOARD_CPU) -mthumb -mfloat-abi=$(or $(BOARD_FLOAT),soft)
FIRMWARE_CPU   := $(OPT) -g $(FIRMWARE_ABI)
FIRMWARE_FLAGS := $(FIRMWARE_CPU) $(FREESTANDING) -Icore -Iport/cortex_m -Iport/cortex_m_systick -Iport/counter \
	$(HZ_FLAGS) 	$(if $(BOARD_SYSTICK_LOST),-DTICKWHEEL_SYSTICK_LOST=$(BOARD_SYSTICK_LOST))
# Of the stack clang's objects say that it need not be executable, and GCC's nothing: -z says it for all.
FIRMWARE_LINK := $(ARM_CXX) $(FIRMWARE_ABI) -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--fatal-warnings \
	-Wl,-z,noexecstack -T linker/$(BOARD).ld

# A test may ask for <chrono>, and GCC's wants a <time.h>, where no C library brings one.
FIRMWARE_TESTS := $(TEST_WARNINGS) -idirafter test/check/vendor

# $(1) variant
define firmware_of
$(call objects_in,$(FIRMWARE)/$(1),$(ARM_CXX),$(FIRMWARE_FLAGS) $(call warnings,$(ARM_CXX)) $(call variant_flags,$(1)))
$(call objects_in,$(FIRMWARE)/$(1),$(ARM_CXX),$(FIRMWARE_FLAGS) $(FIRMWARE_TESTS) $(call variant_flags,$(1)),test/)
$(call c_objects_in,$(FIRMWARE)/$(1),$(ARM_CC),$(FIRMWARE_CPU) -std=c11 $(FREESTANDING_C) $(TEST_WARNINGS) -Icore \
	$(HZ_FLAGS) $(call variant_flags,$(1)),test/)
$(FIRMWARE)/$(1)/libwheel.a: $(WHEEL_SOURCES:%.cpp=$(FIRMWARE)/$(1)/%.o)
	@rm -f $$@
	@$(ARM_AR) rcsD $$@ $$^
$(FIRMWARE)/$(1)/%.elf: linker/sections.ld linker/$(BOARD).ld
	$(call say,$$@)$(FIRMWARE_LINK) $$(filter %.o %.a,$$^) -lgcc -o $$@$(if $(BOARD_AFTER_LINK), && $(BOARD_AFTER_LINK) $$@)
endef
$(foreach variant,$(VARIANTS),$(eval $(call firmware_of,$(variant))))

# $(1) variant, $(2) name of the program, $(3) its sources
define program
$(FIRMWARE)/$(1)/$(2).elf: $$(patsubst %,$(FIRMWARE)/$(1)/%.o,$$(basename $(3) $(BOARD_SOURCES))) $(FIRMWARE)/$(1)/libwheel.a
endef
EXAMPLES := $(foreach example,$(patsubst examples/%/main.cpp,%,$(wildcard examples/*/main.cpp)),\
	$(if $(filter $(BOARD),$(call boards_of,$(example))),$(example)))
$(foreach variant,$(VARIANTS),$(foreach example,$(EXAMPLES),\
	$(eval $(call program,$(variant),$(example),$(wildcard examples/$(example)/*.cpp)))))
$(eval $(call program,8-6,cycles,test/boards/cycles.cpp))

# --- make run -------------------------------------------------------------------------------------------------------

## make run [BOARD=] [EXAMPLE=shell|blink|debounce|retransmit|watchdog|modbus|lowpower]
##     Runs a firmware in the emulator. On a terminal you type (`help`, `quit`); else the shell runs its scripts,
##     once for each geometry, and any fault or timer in a wrong tick is an exit code.
## make elf [BOARD=] [EXAMPLE=]
##     Only builds it: build/<board>/8-6/<example>.elf, for the boards that no emulator has too.
## make cycles [BOARD=]
##     Builds build/<board>/8-6/cycles.elf, which measures the cycles of each call on a real core.
## make boards
##     The boards, their cores, and the size of the shell.
.PHONY: run elf cycles boards
RUN_VARIANTS := $(if $(filter shell,$(EXAMPLE)),$(GEOMETRIES),8-6)
elf: $(RUN_VARIANTS:%=$(FIRMWARE)/%/$(EXAMPLE).elf)
cycles: $(FIRMWARE)/8-6/cycles.elf
run: elf
	@if test -t 0; then echo 'leave: Ctrl-C'; $(BOARD_QEMU) -kernel $(FIRMWARE)/8-6/$(EXAMPLE).elf; \
	else QEMU='$(BOARD_QEMU)' EXACT='$(BOARD_QEMU_EXACT)' examples/run_unattended.sh $(FIRMWARE) $(EXAMPLE); fi

boards: setup
	@MAKE='$(MAKE)' SIZE='$(CROSS)size' boards/table.sh

# --- Tests ----------------------------------------------------------------------------------------------------------

UNIT_SOURCES := $(wildcard test/unit/*.cpp test/unit/*.c)
# What needs the host's port or library.
BOARD_UNIT_SOURCES := $(filter-out %_host.cpp,$(UNIT_SOURCES))
FUZZ_SOURCES := $(wildcard test/fuzz/*.cpp)

# On the host: doctest, with address and undefined-behaviour checks.
HOST       := build/host
SANITIZE   := -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_FLAGS := -O1 -g $(TEST_WARNINGS) $(SANITIZE) -fno-omit-frame-pointer -DTICKWHEEL_TEST_HOST -Icore -Iport/host \
	-Iport/counter -Iport/cortex_m_systick
# $(1) variant
define host_of
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 $(HOST_FLAGS) $(call variant_flags,$(1)))
$(call c_objects_in,$(HOST)/$(1),$(CC),-std=c11 $(HOST_FLAGS) $(call variant_flags,$(1)))
$(HOST)/$(1)/libwheel.a: $(HOST)/$(1)/core/tickwheel.o $(HOST)/$(1)/core/tickwheel_bug.o
	@rm -f $$@
	@$(AR) rcsD $$@ $$^
$(HOST)/$(1)/unit: $(patsubst %,$(HOST)/$(1)/%.o,$(basename $(UNIT_SOURCES))) $(HOST)/$(1)/libwheel.a
	$(call say,$$@)$(CXX) $(SANITIZE) $$^ -o $$@
$(HOST)/$(1)/fuzz: $(FUZZ_SOURCES:%.cpp=$(HOST)/$(1)/%.o) $(HOST)/$(1)/libwheel.a
	$(call say,$$@)$(CXX) $(SANITIZE) $$^ -o $$@
endef
$(foreach variant,$(VARIANTS),$(eval $(call host_of,$(variant))))

# The fuzzer once more by each compiler, without the checks and optimised, for long runs.
FUZZ_FAST := build/host-fast
FUZZ_COMPILERS := g++ clang++-14
# $(1) compiler, $(2) geometry
define fuzz_fast_of
$(call objects_in,$(FUZZ_FAST)/$(1)/$(2),$(1),-std=c++17 -O2 $(TEST_WARNINGS) -Icore -Iport/host $(call variant_flags,$(2)))
$(FUZZ_FAST)/$(1)/$(2)/fuzz: $(patsubst %.cpp,$(FUZZ_FAST)/$(1)/$(2)/%.o,$(FUZZ_SOURCES) core/tickwheel.cpp)
	$(call say,$$@)$(1) $$^ -o $$@
endef
$(foreach compiler,$(FUZZ_COMPILERS),$(foreach geometry,$(GEOMETRIES),$(eval $(call fuzz_fast_of,$(compiler),$(geometry)))))
FUZZ_FAST_PROGRAMS := $(foreach geometry,$(GEOMETRIES),$(FUZZ_COMPILERS:%=$(FUZZ_FAST)/%/$(geometry)/fuzz))

# On the board: the same sources.
$(foreach variant,$(VARIANTS),$(eval $(call program,$(variant),unit,$(BOARD_UNIT_SOURCES))))

# The same objects once more, on a library that clang made.
$(eval $(call objects_in,$(FIRMWARE)/clang,clang++-14 $(CLANG_ARM),$(FIRMWARE_FLAGS) $(call warnings,clang)))
$(FIRMWARE)/clang/libwheel.a: $(WHEEL_SOURCES:%.cpp=$(FIRMWARE)/clang/%.o)
	@rm -f $@
	@$(ARM_AR) rcsD $@ $^
$(FIRMWARE)/8-6/unit-clang.elf: $(patsubst %,$(FIRMWARE)/8-6/%.o,$(basename $(BOARD_UNIT_SOURCES) $(BOARD_SOURCES))) \
	$(FIRMWARE)/clang/libwheel.a

# A result is what a test program printed, with its exit code as the last line. A program that fails does not stop make:
# the sum at the end does.
RESULTS := build/results
QEMU_TEST := $(BOARD_QEMU) $(BOARD_QEMU_EXACT) -kernel
define result_of
$(RESULTS)/$(1): $(2) always
	@mkdir -p $$(@D)
	@echo "run  $(1)"
	@{ timeout 300 $(3) </dev/null; echo "exit code $$$$?"; } >$$@ 2>&1
endef
$(foreach variant,$(VARIANTS),$(eval $(call result_of,unit-host-$(variant),$(HOST)/$(variant)/unit,$(HOST)/$(variant)/unit)))
$(foreach variant,$(VARIANTS),$(eval $(call result_of,unit-$(BOARD)-$(variant),$(FIRMWARE)/$(variant)/unit.elf,\
	$(QEMU_TEST) $(FIRMWARE)/$(variant)/unit.elf)))
$(eval $(call result_of,unit-$(BOARD)-clang,$(FIRMWARE)/8-6/unit-clang.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/unit-clang.elf))
$(foreach variant,$(GEOMETRIES),$(eval $(call result_of,fuzz-$(variant),$(HOST)/$(variant)/fuzz,$(HOST)/$(variant)/fuzz 200000 1)))
$(eval $(call result_of,examples-$(BOARD),$(GEOMETRIES:%=$(FIRMWARE)/%/shell.elf) $(EXAMPLES:%=$(FIRMWARE)/8-6/%.elf) $(FIRMWARE)/8-6/cycles.elf,\
	env QEMU='$(BOARD_QEMU)' EXACT='$(BOARD_QEMU_EXACT)' test/examples/check.sh $(FIRMWARE)))
$(eval $(call result_of,fuzz-compilers,$(FUZZ_FAST_PROGRAMS),test/fuzz/compilers.sh $(FUZZ_FAST) 2000000 1 $(GEOMETRIES)))

board_results = unit-$(1)-8-6 unit-$(1)-6-4 examples-$(1)
# Also those that want a second timer of the board: in test-all only.
SLEEP_BOARDS := $(patsubst test/target/independent/%.cpp,%,$(wildcard test/target/independent/*.cpp))
board_all_results = $(call board_results,$(1)) unit-$(1)-clang $(if $(filter $(1),$(SLEEP_BOARDS)),soak-sleep-$(1) time-of-day-$(1))
TEST_RESULTS := $(VARIANTS:%=unit-host-%) $(if $(FUZZ_SOURCES),$(GEOMETRIES:%=fuzz-%)) $(call board_results,$(BOARD))
# Each once.
TEST_ALL_RESULTS := $(sort $(TEST_RESULTS) $(VARIANTS:%=unit-$(BOARD)-%) $(call board_all_results,$(BOARD))) fuzz-compilers libraries failures builds \
	integrations board-added boards-build-only conformance size-features
# The other boards, each by a make of its own.
BOARDS_ELSE := $(filter-out $(BOARD),$(patsubst boards/%/board.mk,%,$(shell grep -l '^BOARD_QEMU ' boards/*/board.mk)))

## make test
##     Unit tests on the host and on the emulated board, a short random run, the examples.
.PHONY: test test-results test-all test-all-results
test: setup
	@+$(MAKE) --no-print-directory -j$(JOBS) test-results
	@test/sum_results.sh $(TEST_RESULTS:%=$(RESULTS)/%)
test-results: $(TEST_RESULTS:%=$(RESULTS)/%)

# Goals of their own, below, whose counts are shown.
RACES := sweep sweep-m0 storm interleavings contexts sleep
define race_result_of
$(RESULTS)/$(1): always
	@mkdir -p $$(@D)
	@echo "run  $(1)"
	@+{ $(MAKE) --no-print-directory $(1); echo "exit code $$$$?"; } >$$@ 2>&1 </dev/null
endef
$(foreach race,$(RACES) conformance size-features,$(eval $(call race_result_of,$(race))))

## make test-all
##     The same in every variant, on every board, the library for every core, what is meant to find races: sweep,
##     storm, interleavings and contexts; and conformance.
test-all: setup
	@+$(MAKE) --no-print-directory -j$(JOBS) test-all-results
	@+$(foreach board,$(BOARDS_ELSE),$(MAKE) --no-print-directory -j$(JOBS) BOARD=$(board) board-results &&) true
	@for race in $(RACES); do echo "--- $$race"; grep -v '^exit code\|^[0-9]* passed' $(RESULTS)/$$race; done; true
	@test/sum_results.sh $(patsubst %,$(RESULTS)/%,$(TEST_ALL_RESULTS) \
		$(foreach board,$(BOARDS_ELSE),$(call board_all_results,$(board))) $(RACES))
test-all-results: $(RACES:%=$(RESULTS)/%) $(TEST_ALL_RESULTS:%=$(RESULTS)/%)
.PHONY: board-results
board-results: $(patsubst %,$(RESULTS)/%,$(call board_all_results,$(BOARD)))
$(eval $(call result_of,board-added,,env MAKE='$(MAKE)' test/boards/scratch.sh))
$(eval $(call result_of,boards-build-only,,env MAKE='$(MAKE)' python3 -B test/boards/build_only.py))
$(eval $(call result_of,failures,,test/failures/run))
$(eval $(call result_of,builds,,env MAKE='$(MAKE)' test/builds.sh))
$(eval $(call result_of,libraries,,env MAKE='$(MAKE)' test/libraries.sh $(CPUS)))
$(eval $(call result_of,integrations,,env MAKE='$(MAKE)' test/integrations.sh))

## make fuzz [OPS=] [SEED=]
##     The wheel against a sorted list, at random.
.PHONY: fuzz
fuzz: $(GEOMETRIES:%=$(HOST)/%/fuzz)
	@for geometry in $(GEOMETRIES); do $(HOST)/$$geometry/fuzz $(OPS) $(SEED) || exit 1; done
## make fuzz-long [OPS=1000000000] [SEED=7]
##     The same by GCC and by clang, optimised, without the address checks. Both must give the same answers.
.PHONY: fuzz-long
fuzz-long: private OPS := $(if $(filter file,$(origin OPS)),1000000000,$(OPS))
fuzz-long: private SEED := $(if $(filter file,$(origin SEED)),7,$(SEED))
fuzz-long: $(FUZZ_FAST_PROGRAMS)
	@test/fuzz/compilers.sh $(FUZZ_FAST) $(OPS) $(SEED) $(GEOMETRIES)

# bench, size; the peers; coverage
bench_setup := setup
coverage_setup := setup
-include bench/wheel/wheel.mk
-include bench/peers/peers.mk
-include test/coverage/coverage.mk

# --- Interrupts at every instruction --------------------------------------------------------------------------------

target_setup := setup
-include test/target/target.mk
contexts_setup := setup
-include test/target/contexts.mk
storm_setup := setup
-include test/target/storm.mk
-include test/target/soak_sleep.mk
-include test/target/time_of_day.mk
sleep_setup := setup
-include test/sleep/sleep.mk
interleavings_setup := setup
-include test/interleavings/interleavings.mk
masked_setup := setup
-include test/masked/masked.mk

## make figures
##     Measures as bench, size, size-features and fuzz do. Writes the figures into README.md and docs/, draws the plots.
## make figures-check
##     Measures the same, checks the limits, and fails if a page has another figure.
.PHONY: figures figures-check
figures: bench-table size-table size-features plots
figures-check: bench size size-features
figures figures-check: $(bench_out)/fuzz.txt
	@python3 -B bench/report/figures.py $(if $(filter figures-check,$@),--check) $(bench_out)
# Of `make fuzz` as it is without OPS and SEED.
$(bench_out)/fuzz.txt: $(HOST)/8-6/fuzz
	@mkdir -p $(@D)
	@$< 1000000 1 >$@ || { cat $@; exit 1; }

## make docs
##     The documentation of the faces in C and C++, in build/docs; what is not described is an error.
.PHONY: docs
docs: setup
	@rm -rf build/docs && mkdir -p build/docs
	@doxygen core/Doxyfile
	@echo build/docs/index.html

## make check
##     Format, static analysis, headers on their own, names and sizes of the library.
## make mutants
##     Breaks the wheel and its ports in some 2000 small ways, one at a time. Prints the score and the survivors.
## make mutants-short
##     The mutants of the files that the last commit changed, and a tenth of the rest; ten minutes at most.
.PHONY: check mutants mutants-short
check mutants: setup
	@test/$@/run
mutants-short: setup
	@test/mutants/run --short --seconds 600

## make clean
.PHONY: clean
clean:
	rm -rf build

-include $(shell find build $(LIB) -name '*.d' 2>/dev/null)
