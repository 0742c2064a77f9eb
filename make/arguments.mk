# SPDX-License-Identifier: MIT
# Refuses a variable that does not exist, and a value that no rule knows, before anything is built. The headers refuse the
# rest: a rate, and a priority that the core does not have.

# make ignores a misspelt variable. Somebody else's make hands on its own variables, so only
# the first make checks them.
KNOWN := BOARD EXAMPLE CPU ISA OPT FLOAT LOCK HZ GEOMETRY DEBUG LIB CROSS CXX CC AR ARM_CXX ARM_CC ARM_AR \
	OPS SEED HOURS V JOBS TRACE
on_command_line = $(findstring command line,$(origin $(1)))
unknown := $(filter-out $(KNOWN) MAKE SHELL MAKEFLAGS $(PART_NAMES:%=%_%),\
	$(foreach name,$(.VARIABLES),$(if $(call on_command_line,$(name)),$(name))))
ifeq ($(MAKELEVEL),0)
ifneq ($(strip $(unknown)),)
$(error $(firstword $(unknown))=: no such variable; there are $(KNOWN))
endif
endif

CPUS       := cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 cortex-m23 \
	cortex-m33 cortex-m35p cortex-m55
CPUS_RISCV := rv32imac rv32imc
CPUS_AR    := cortex-r5 cortex-a9
CPUS_FLOAT := cortex-m4 cortex-m7 cortex-m33 cortex-m35p cortex-m55 $(CPUS_AR)

# The priority, as the register has it: 96 or 0x60. The port refuses one that the core cannot have.
basepri := $(patsubst basepri:%,%,$(filter basepri:%,$(LOCK)))
# $(1) variable, $(2) its values
one_of = $(if $(filter $(2),$($(1))),,$(error $(1)=$($(1)): one of $(2)))

$(call one_of,CPU,host $(CPUS) $(CPUS_RISCV) $(CPUS_AR))
$(call one_of,TRACE,0 1)
$(call one_of,OPT,-O0 -Og -O1 -O2 -O3 -Os)
$(call one_of,FLOAT,soft softfp hard)
$(call one_of,ISA,thumb arm)
$(call one_of,LOCK,primask none basepri:%)
# $(1) variable, $(2) the only value that every CPU has, $(3) the CPUs that have others
is_for = $(if $(filter $(2),$($(1)))$(filter $(3),$(CPU)),,$(error $(1)=$($(1)): CPU=$(CPU) does not have it; these do: $(3)))
$(call is_for,FLOAT,soft,$(CPUS_FLOAT))
$(call is_for,ISA,thumb,$(CPUS_AR))
$(call is_for,LOCK,primask,$(CPUS))

comma := ,
space := $(comma:,=) $(comma:,=)
# As core/wheel/geometry.hpp has them.
legal_geometries := $(filter-out 7$(comma)6,$(foreach tvr,6 7 8,$(foreach tvn,2 3 4 5 6,$(tvr)$(comma)$(tvn))))
# The goals that build the variant of GEOMETRY and DEBUG. The others have variants of their own.
VARIANT_GOALS := lib run elf
ifneq ($(filter $(VARIANT_GOALS),$(MAKECMDGOALS)),)
$(call one_of,GEOMETRY,$(legal_geometries))
$(call one_of,DEBUG,0 1)
else ifeq ($(MAKELEVEL),0)
ifneq ($(filter-out help help-all setup clean,$(MAKECMDGOALS)),)
$(foreach name,GEOMETRY DEBUG,$(if $(call on_command_line,$(name)),\
	$(error $(name)=: is for make $(VARIANT_GOALS); make $(firstword $(MAKECMDGOALS)) has variants of its own)))
endif
endif

# Goals without a board do not read BOARD and EXAMPLE. Somebody else's environment may set both.
ifeq ($(filter-out help help-all lib setup clean,$(or $(MAKECMDGOALS),help)),)
override BOARD   := mps2-an385
override EXAMPLE := demo
endif
$(call one_of,BOARD,$(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))
$(call one_of,EXAMPLE,$(patsubst examples/%/main.cpp,%,$(wildcard examples/*/main.cpp)))
# An example that some boards cannot run names those that can, in boards.txt.
boards_of = $(or $(shell cat examples/$(1)/boards.txt 2>/dev/null),$(BOARD))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(call boards_of,$(EXAMPLE))),)
$(error EXAMPLE=$(EXAMPLE): needs BOARD=$(firstword $(call boards_of,$(EXAMPLE))); `make elf EXAMPLE=$(EXAMPLE) \
	BOARD=$(firstword $(call boards_of,$(EXAMPLE)))` builds it)
endif
endif

include boards/$(BOARD)/board.mk
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifneq ($(filter examples/$(EXAMPLE),$(BOARD_LEAVES_OUT)),)
$(error EXAMPLE=$(EXAMPLE): needs a Cortex-M; BOARD=$(BOARD) has $(BOARD_CPU))
endif
endif
HZ ?= $(or $(BOARD_HZ),1000)
ifeq ($(BOARD_QEMU),)
ifneq ($(filter run test test-programs test-all test-else test-else-programs,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): no emulator has this board; `make elf BOARD=$(BOARD)` builds for the real one)
endif
endif
