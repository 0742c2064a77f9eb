# SPDX-License-Identifier: MIT
# Refuses a variable that does not exist, one that the goal ignores, and a value that no rule knows, before anything is
# built. Numbers go to the headers and to the programs, which refuse a wrong one.

# make ignores a misspelt variable. Somebody else's make hands on its own variables, so only
# the first make checks them.
KNOWN := BOARD EXAMPLE CPU PORT ISA OPT FLOAT LOCK PRIORITY_BITS HZ GEOMETRY DEBUG LIB CROSS CXX CC AR ARM_CXX ARM_CC ARM_AR \
	OPS SEED HOURS V JOBS TRACE $(PART_VARIABLES)
on_command_line = $(findstring command line,$(origin $(1)))
unknown := $(filter-out $(KNOWN) MAKE SHELL MAKEFLAGS,\
	$(foreach name,$(.VARIABLES),$(if $(call on_command_line,$(name)),$(name))))
ifeq ($(MAKELEVEL),0)
ifneq ($(strip $(unknown)),)
$(error $(firstword $(unknown))=: no such variable; there are $(KNOWN))
endif
endif

comma := ,
space := $(comma:,=) $(comma:,=)
# The value of the variable $(1), if it is one word without a space around it.
word_of = $(if $(filter 1,$(words $($(1)))),$(if $(findstring <$(strip $($(1)))>,<$($(1))>),$($(1))))
# $(1) variable, $(2) its values
one_of = $(if $(filter $(2),$(call word_of,$(1))),,$(error $(1)=$($(1)): one of $(2)))

# --- The variables --------------------------------------------------------------------------------------------------

CPUS       := cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 cortex-m23 \
	cortex-m33 cortex-m35p cortex-m55
CPUS_RISCV := rv32imac rv32imc rv32ec
CPUS_AR    := cortex-r5 cortex-a9
CPUS_FLOAT := cortex-m4 cortex-m7 cortex-m33 cortex-m35p cortex-m55 $(CPUS_AR)

$(call one_of,CPU,host $(CPUS) $(CPUS_RISCV) $(CPUS_AR))
$(call one_of,TRACE,0 1)
# Somebody else's environment may have a PORT.
$(if $(filter single,$(MAKECMDGOALS)),$(call one_of,PORT,cortex_m cortex_ar riscv host arduino))
$(call one_of,OPT,-O0 -Og -O1 -O2 -O3 -Os)
$(call one_of,FLOAT,soft softfp hard)
$(call one_of,ISA,thumb arm)
basepri := $(patsubst basepri:%,%,$(filter basepri:%,$(call word_of,LOCK)))
$(if $(filter primask none,$(call word_of,LOCK))$(basepri),,$(error LOCK=$(LOCK): one of primask none basepri:<priority>))
# $(1) variable, $(2) the only value that every CPU has, $(3) the CPUs that have others
is_for = $(if $(filter $(2),$($(1)))$(filter $(3),$(CPU)),,$(error $(1)=$($(1)): CPU=$(CPU) does not have it; these do: $(3)))
$(call is_for,FLOAT,soft,$(CPUS_FLOAT))
$(call is_for,ISA,thumb,$(CPUS_AR))
$(call is_for,LOCK,primask,$(CPUS))
# The recorder reads SysTick.
$(call is_for,TRACE,0,$(CPUS))

# core/tickwheel/config.h has the same.
GEOMETRIES := 86 64 62
# An example for a small chip names its geometry, in geometry.txt.
geometry_of = $(or $(shell cat examples/$(1)/geometry.txt 2>/dev/null),86)
# The goals that build the variant of GEOMETRY and DEBUG.
VARIANT_GOALS := lib run elf
ifneq ($(filter $(VARIANT_GOALS),$(MAKECMDGOALS)),)
$(call one_of,GEOMETRY,$(GEOMETRIES))
$(call one_of,DEBUG,0 1)
endif

$(foreach name,CXX CC AR ARM_CXX ARM_CC ARM_AR,$(if $(strip $($(name))),,$(error $(name)=: the name of a program)))

ifeq ($(MAKELEVEL),0)
# $(1) variables, $(2) the goals that read them
read_by = $(if $(filter $(2),$(MAKECMDGOALS)),,$(foreach name,$(1),$(if $(call on_command_line,$(name)),\
	$(error $(name)=: is for make $(2); make $(firstword $(MAKECMDGOALS)) does not read it))))
ifneq ($(filter-out help help-all setup clean,$(MAKECMDGOALS)),)
$(call read_by,GEOMETRY DEBUG TRACE,$(VARIANT_GOALS))
$(call read_by,CPU ISA FLOAT LOCK PRIORITY_BITS LIB,lib)
$(call read_by,EXAMPLE,run elf)
$(call read_by,HOURS,soak-sleep)
$(call read_by,OPS SEED,fuzz fuzz-long)
endif
endif

# Goals without a board do not read BOARD and EXAMPLE. Somebody else's environment may set both.
ifeq ($(filter-out help help-all lib single setup clean,$(or $(MAKECMDGOALS),help)),)
override BOARD   := mps2-an385
override EXAMPLE := demo
endif
all_boards   := $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk))
all_examples := $(patsubst examples/%/main.cpp,%,$(wildcard examples/*/main.cpp))
$(call one_of,BOARD,$(all_boards))
$(call one_of,EXAMPLE,$(all_examples))
# Reads what board $(1) sets, and forgets what another has set.
read_board = $(foreach name,$(filter BOARD_%,$(.VARIABLES)),$(eval undefine $(name)))$(eval include boards/$(1)/board.mk)
emulated_boards := $(strip $(foreach board,$(all_boards),\
	$(call read_board,$(board))$(eval cpu_of_$(board) := $(BOARD_CPU))$(if $(BOARD_QEMU),$(board))))
# An example that some boards cannot run names those that can, in boards.txt.
boards_of = $(or $(shell cat examples/$(1)/boards.txt 2>/dev/null),$(BOARD))
$(foreach example,$(all_examples),$(foreach board,$(filter-out $(all_boards),$(call boards_of,$(example))),\
	$(error examples/$(example)/boards.txt: there is no board $(board))))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(call boards_of,$(EXAMPLE))),)
needed_board := $(firstword $(call boards_of,$(EXAMPLE)))
# No emulator has some of them.
needed_goal := $(if $(filter $(emulated_boards),$(needed_board)),$(filter run elf,$(MAKECMDGOALS)),elf)
$(error EXAMPLE=$(EXAMPLE): needs BOARD=$(needed_board): `make $(needed_goal) EXAMPLE=$(EXAMPLE) BOARD=$(needed_board)`)
endif
endif

$(call read_board,$(BOARD))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifneq ($(filter examples/$(EXAMPLE),$(BOARD_LEAVES_OUT)),)
$(error EXAMPLE=$(EXAMPLE): needs a Cortex-M; BOARD=$(BOARD) has $(BOARD_CPU))
endif
endif
HZ ?= $(or $(BOARD_HZ),1000)
# $(1) variable, $(2) what it is
one_word = $(if $(call word_of,$(1)),,$(error $(1)=$($(1)): $(2)))
$(call one_word,HZ,ticks a second$(comma) 1 to 100000)
$(call one_word,HOURS,a number of hours)
$(if $(call on_command_line,LIB),$(call one_word,LIB,one folder$(comma) without a space))
ifeq ($(BOARD_QEMU),)
ifneq ($(filter run quick test test-programs test-all test-rest test-rest-programs,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): no emulator has this board; `make elf BOARD=$(BOARD)` builds for the real one)
endif
endif
