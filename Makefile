# SPDX-License-Identifier: MIT
# Every command of tickwheel. `make help-all` lists them. All output goes to build/.
#   make/parts.mk      the parts with rules of their own  make/programs.mk  test programs
#   make/arguments.mk  refuses what cannot be built       make/tests.mk     runs them
#   make/library.mk    make lib                           make/measure.mk   figures and their limits
#   make/firmware.mk   make run, elf                      make/checks.mk    documentation, static checks
#   make/packages.mk   what each goal needs
# A line that begins with two # is printed by `make help-all`, in the group that the last line `#: group` names. The words
# BOARDS and EXAMPLES in it become their lists.

BOARD   ?= mps2-an385
EXAMPLE ?= demo
CPU     ?= cortex-m3
PORT    ?= cortex_m
ISA     ?= thumb
OPT     ?= -Os
FLOAT   ?= soft
LOCK    ?= primask
PRIORITY_BITS ?= 3
GEOMETRY ?= $(call geometry_of,$(EXAMPLE))
DEBUG   ?= 0
COUNTER ?=
OPS     ?= 1000000
SEED    ?= 1
HOURS   ?= 24
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
# The version of clang and its tools. The tests read it, also without make, where it is the same.
export LLVM := 19
CROSS   ?= arm-none-eabi-
ARM_CXX ?= $(CROSS)g++
ARM_CC  ?= $(CROSS)gcc
ARM_AR  ?= $(CROSS)ar
# The tests read them: some run make, and the runner starts JOBS tests at a time.
export MAKE JOBS

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

include make/parts.mk make/arguments.mk

# --- Flags ----------------------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wold-style-cast -Wcast-align \
	-Wcast-qual -Wdouble-promotion -Wnull-dereference -Werror
TEST_WARNINGS := -Wall -Wextra -Wshadow -Werror
GCC_WARNINGS := -Wuseless-cast -Wduplicated-cond -Wlogical-op
FREESTANDING_C := -ffreestanding -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections \
	-fdata-sections
FREESTANDING   := -std=c++17 $(FREESTANDING_C) -fno-exceptions -fno-rtti -fno-threadsafe-statics
# One clang builds for every CPU. It has its own headers. Its enumerations are as small as those of arm-none-eabi-gcc.
CLANG_ARM := --target=arm-none-eabi -nostdlibinc -fshort-enums
# GNU ld before 2.41 crashes on DWARF 5 of clang 17 and later.
CLANG_RISCV := --target=riscv32-unknown-elf -nostdlibinc -fdebug-default-version=4
# $(1) RISC-V core, $(2) its compiler. In that version of the ISA the csr instructions of the tests need no extension. GCC 12
# has no libgcc for a core with one. With clang objdump shows them only if the object names it.
riscv_abi = -march=$(1)$(if $(findstring clang,$(2)),_zicsr,) -mabi=$(if $(filter rv32e%,$(1)),ilp32e,ilp32) -mcmodel=medany \
	$(if $(findstring clang,$(2)),,-misa-spec=2.2)
# $(1) compiler. A GCC has more warnings.
warnings = $(WARNINGS) $(if $(findstring clang,$(1)),,$(GCC_WARNINGS))

LOCK_FLAGS := $(if $(basepri),-DTICKWHEEL_LOCK_BASEPRI=$(basepri) $(PRIORITY_BITS:%=-DTICKWHEEL_PRIORITY_BITS=%)) \
	$(if $(basepri),$(if $(filter cortex-m7,$(CPU)),-DTICKWHEEL_ERRATUM_837070)) \
	$(if $(filter none,$(LOCK)),-DTICKWHEEL_LOCK_NONE)
HZ_FLAGS   := $(if $(filter-out 1000,$(HZ)),-DTICKWHEEL_HZ=$(HZ))

# A variant is a geometry, and perhaps debug. make/tests.mk says which of them the tests run.
VARIANTS := $(GEOMETRIES) $(GEOMETRIES:%=%-debug)
# The variant that GEOMETRY and DEBUG ask for.
debug_suffix  := $(if $(filter 1,$(DEBUG)),-debug)
asked_variant := $(filter $(GEOMETRIES),$(GEOMETRY))$(debug_suffix)
variant_flags = -DTICKWHEEL_GEOMETRY=$(firstword $(subst -, ,$(1))) \
	-DTICKWHEEL_DEBUG=$(if $(findstring debug,$(1)),1,0) \
	$(if $(findstring silicon,$(1)),$(silicon_flags)) $(if $(findstring one_shot,$(1)),$(one_shot_flags))

# doctest itself, for all programs of the PC that use it. It takes longer to compile than most tests, and needs no checks.
TEST_MAIN := build/host/86/test/unit/main.o

# --- Rules that every part uses -------------------------------------------------------------------------------------

# One short line for each file that is built. V=1 shows the commands instead.
say = $(if $(filter-out 0,$(V)),,@echo "build $(1)"; )

# Objects in folder $(1), by compiler $(2) with flags $(3), of the sources below $(4). Without $(4): of every source.
# $(5) is c for sources in C. Another compiler, version or flag changes flags.txt, and builds the objects again.
define objects_in
object_folders += $(1)
$(1)/$(4)%.o: $(4)%.$(or $(5),cpp) $(1)/$(4)flags$(5:%=-%).txt
	@mkdir -p $$(@D)
	$(call say,$$@)$(2) $(3) -MMD -MP -c $$< -o $$@
$(1)/$(4)flags$(5:%=-%).txt: always
	@mkdir -p $$(@D)
	@said=$$$$(echo '$(2) $(3)'; $(firstword $(2)) --version 2>&1 | head -n 1); \
		echo "$$$$said" | cmp -s - $$@ || echo "$$$$said" >$$@
endef
# Archive $(1), by $(2), of the objects $(3). It is announced when $(4) is not empty.
define archive
$(1): $(3)
	@rm -f $$@
	$(if $(4),$(call say,$$@),@)$(2) rcsD $$@ $$^
endef

.PHONY: always help help-all setup basic-packages clean
always:

include make/firmware.mk make/library.mk make/measure.mk make/programs.mk make/tests.mk \
	make/checks.mk make/packages.mk

#: setup
## make setup
##     Installs what any of these commands needs and this PC does not have, from Debian and from npm. It says what, and asks
##     first on a terminal. `make run` and `make test` install what QEMU's Arm boards need by themselves.
## make clean
##     Removes build/. What came from npm lies there too, so `make setup` has to follow.
setup:
	@test/install_packages.sh
basic-packages:
	@test/install_packages.sh install $(basic_packages)
# Everything that is compiled comes after `always`.
always: $(if $(filter run test,$(MAKECMDGOALS)),basic-packages)
clean:
	rm -rf build

# `make help` prints these, which a newcomer needs.
HELP := run elf lib single quick test test-all fuzz check bench figures masked page setup clean
help help-all:
	@for group in run test measure checks setup; do echo "== $$group"; \
		awk '/^#: / { inside = $$2 == "'$$group'" } \
			/^## make / { shown = "$@" == "help-all" || index(" $(HELP) ", " " $$3 " ") } \
			inside && shown && sub(/^## /, "") { \
			sub(/BOARDS/, "$(all_boards)"); sub(/EXAMPLES/, "$(all_examples)"); print }' \
			$(MAKEFILE_LIST); done
	@$(if $(filter help,$@),echo '`make help-all` lists all goals.')

# It reads the folders of this make only, because another make may be writing in others.
-include $(shell find $(sort $(object_folders)) -name '*.d' 2>/dev/null)
