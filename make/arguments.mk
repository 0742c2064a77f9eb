# SPDX-License-Identifier: MIT
# Refuses a variable that does not exist, and a value that would be taken for another one, before anything is built. Compilers,
# headers and programs refuse the other wrong values.

# make ignores a misspelt variable. Somebody else's make hands on its own variables, so only
# the first make checks them.
KNOWN := BOARD EXAMPLE CPU PORT ISA OPT FLOAT LOCK PRIORITY_BITS HZ GEOMETRY DEBUG COUNTER LIB CROSS CXX CC AR \
	ARM_CXX ARM_CC ARM_AR OPS SEED HOURS V JOBS $(PART_VARIABLES)
unknown := $(filter-out $(KNOWN) MAKE SHELL MAKEFLAGS,\
	$(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name))))
ifneq ($(if $(filter 0,$(MAKELEVEL)),$(strip $(unknown))),)
$(error $(firstword $(unknown))=: no such variable; there are $(KNOWN))
endif

comma := ,
space := $(comma:,=) $(comma:,=)
# $(1) variable, $(2) its values
one_of = $(if $(filter 1,$(words $(filter $(2),$($(1))))$(filter-out $(2),$($(1)))),,$(error $(1)=$($(1)): one of $(2)))

CPUS       := cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 cortex-m23 \
	cortex-m33 cortex-m35p cortex-m55
CPUS_RISCV := rv32imac rv32imc rv32ec
CPUS_AR    := cortex-r5 cortex-a9
# core/tickwheel/config.h has the same.
GEOMETRIES := 86 64 62 1
# An example for a small chip names its geometry, in geometry.txt.
geometry_of = $(or $(shell cat examples/$(1)/geometry.txt 2>/dev/null),86)
$(call one_of,CPU,host $(CPUS) $(CPUS_RISCV) $(CPUS_AR))
$(call one_of,GEOMETRY,$(GEOMETRIES))
$(call one_of,DEBUG,0 1)
# Somebody else's environment may have a COUNTER or a PORT.
$(if $(filter lib,$(MAKECMDGOALS)),$(if $(COUNTER),$(call one_of,COUNTER,$(notdir $(wildcard port/one_shot/*)))),\
	$(if $(filter command,$(origin COUNTER)),$(error COUNTER=$(COUNTER): is for `make lib`)))
$(if $(filter single,$(MAKECMDGOALS)),$(call one_of,PORT,cortex_m cortex_ar riscv host arduino))
basepri := $(patsubst basepri:%,%,$(filter basepri:%,$(LOCK)))
$(if $(basepri),,$(call one_of,LOCK,primask none basepri:<priority>))
# Only a Cortex-M has another lock.
$(if $(filter $(CPU),$(CPUS)),,$(call one_of,LOCK,primask))

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
boards_of = $(or $(call known_boards,$(shell cat examples/$(1)/boards.txt 2>/dev/null),examples/$(1)/boards.txt),$(BOARD))
known_boards = $(1)$(if $(filter-out $(all_boards),$(1)),$(error $(2) names $(filter-out $(all_boards),$(1)): no board))
$(call read_board,$(BOARD))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(call boards_of,$(EXAMPLE))),)
needed_board := $(firstword $(call boards_of,$(EXAMPLE)))
# No emulator has some of them.
needed_goal := $(if $(filter $(emulated_boards),$(needed_board)),$(filter run elf,$(MAKECMDGOALS)),elf)
$(error EXAMPLE=$(EXAMPLE): needs BOARD=$(needed_board): `make $(needed_goal) EXAMPLE=$(EXAMPLE) BOARD=$(needed_board)`)
endif
ifneq ($(filter examples/$(EXAMPLE),$(BOARD_LEAVES_OUT)),)
$(error EXAMPLE=$(EXAMPLE): needs a Cortex-M; BOARD=$(BOARD) has $(BOARD_CPU))
endif
endif
HZ ?= $(or $(BOARD_HZ),1000)
# An empty one would build 1000 Hz, or into no folder. OPS and SEED go to a program, which refuses them.
$(foreach name,HZ LIB HOURS,$(if $(findstring command line,$(origin $(name))),\
	$(if $(filter 1,$(words $($(name)))),,$(error $(name)=$($(name)): one word, which is not empty))))
ifeq ($(BOARD_QEMU),)
ifneq ($(filter run quick test test-programs test-all test-rest test-rest-programs,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): no emulator has this board; `make elf BOARD=$(BOARD)` builds for the real one)
endif
endif
