# SPDX-License-Identifier: MIT
# Refuses a variable that does not exist, one that the goal ignores, and a value that no rule knows, before anything is
# built. The headers refuse the rest: a priority that the core does not have.

# make ignores a misspelt variable. Somebody else's make hands on its own variables, so only
# the first make checks them.
KNOWN := BOARD EXAMPLE CPU PORT ISA OPT FLOAT LOCK PRIORITY_BITS HZ GEOMETRY DEBUG LIB CROSS CXX CC AR ARM_CXX ARM_CC ARM_AR \
	OPS SEED HOURS WITH V JOBS TRACE $(PART_VARIABLES)
on_command_line = $(findstring command line,$(origin $(1)))
unknown := $(filter-out $(KNOWN) MAKE SHELL MAKEFLAGS,\
	$(foreach name,$(.VARIABLES),$(if $(call on_command_line,$(name)),$(name))))
ifeq ($(MAKELEVEL),0)
ifneq ($(strip $(unknown)),)
$(error $(firstword $(unknown))=: no such variable; there are $(KNOWN))
endif
endif

# --- The forms of a value -------------------------------------------------------------------------------------------

comma := ,
space := $(comma:,=) $(comma:,=)
# The value of the variable $(1), if it is one word without a space around it.
word_of = $(if $(filter 1,$(words $($(1)))),$(if $(findstring <$(strip $($(1)))>,<$($(1))>),$($(1))))
# $(1) variable, $(2) its values
one_of = $(if $(filter $(2),$(call word_of,$(1))),,$(error $(1)=$($(1)): one of $(2)))

# $(1) a text, $(2) what replaces each digit of it
digits_as = $(subst 0,$(2),$(subst 1,$(2),$(subst 2,$(2),$(subst 3,$(2),$(subst 4,$(2),$(call from_5_as,$(1),$(2)))))))
from_5_as = $(subst 5,$(2),$(subst 6,$(2),$(subst 7,$(2),$(subst 8,$(2),$(subst 9,$(2),$(1))))))
# C reads a number that begins with 0 as octal.
is_decimal = $(if $(call digits_as,$(1))$(filter-out 0,$(filter 0%,$(1))),,$(1))
# Sorts as the number $(1) does, because it begins with a letter for the length.
sortable = $(word $(words $(call digits_as,$(1),x )),a b c d e f g h i j k l m n o p q r s t)$(1)
ascend   = $(filter $(firstword $(1)),$(firstword $(sort $(1))))
# The value of the variable $(1), if it is a decimal number from $(2) to $(3).
number_of = $(if $(call is_decimal,$(call word_of,$(1))),$(call between,$($(1)),$(call sortable,$($(1))),$(2),$(3)))
between = $(if $(call ascend,$(call sortable,$(3)) $(2)),$(if $(call ascend,$(2) $(call sortable,$(4))),$(1)))
number = $(if $(call number_of,$(1),$(2),$(3)),,\
	$(error $(1)=$($(1)): a decimal number from $(2) to $(3), without a zero in front))

# --- The variables --------------------------------------------------------------------------------------------------

CPUS       := cortex-m0 cortex-m0plus cortex-m1 cortex-m3 cortex-m4 cortex-m7 cortex-m23 \
	cortex-m33 cortex-m35p cortex-m55
CPUS_RISCV := rv32imac rv32imc rv32ec
CPUS_AR    := cortex-r5 cortex-a9
CPUS_FLOAT := cortex-m4 cortex-m7 cortex-m33 cortex-m35p cortex-m55 $(CPUS_AR)

$(call one_of,CPU,host $(CPUS) $(CPUS_RISCV) $(CPUS_AR))
$(call one_of,TRACE,0 1)
# Somebody else's environment may have a PORT.
$(if $(filter single,$(MAKECMDGOALS)),$(call one_of,PORT,cortex_m cortex_ar riscv host))
$(call one_of,OPT,-O0 -Og -O1 -O2 -O3 -Os)
$(call one_of,FLOAT,soft softfp hard)
$(call one_of,ISA,thumb arm)
$(call number,PRIORITY_BITS,3,8)
# The priority, as the register has it: 96 or 0x60. A chip ignores the bits below its PRIORITY_BITS.
basepri := $(patsubst basepri:%,%,$(filter basepri:%,$(call word_of,LOCK)))
hex_digits := 0 1 2 3 4 5 6 7 8 9 a b c d e f A B C D E F
hex_bytes   = $(filter-out 0x0 0x00,$(foreach first,$(hex_digits),0x$(first) $(foreach second,$(hex_digits),0x$(first)$(second))))
ifeq ($(filter primask none,$(call word_of,LOCK))$(call number_of,basepri,1,255)$(filter $(hex_bytes),$(basepri:0X%=0x%)),)
$(error LOCK=$(LOCK): one of primask none basepri:<priority>, and a priority is 1 to 255 or 0x1 to 0xff)
endif
ifneq ($(basepri),)
ifeq ($(shell echo $$(($(basepri) >> (8 - $(PRIORITY_BITS))))),0)
$(error LOCK=$(LOCK): masks nothing on a chip with PRIORITY_BITS=$(PRIORITY_BITS), whose CMSIS header has __NVIC_PRIO_BITS)
endif
endif
# $(1) variable, $(2) the only value that every CPU has, $(3) the CPUs that have others
is_for = $(if $(filter $(2),$($(1)))$(filter $(3),$(CPU)),,$(error $(1)=$($(1)): CPU=$(CPU) does not have it; these do: $(3)))
$(call is_for,FLOAT,soft,$(CPUS_FLOAT))
$(call is_for,ISA,thumb,$(CPUS_AR))
$(call is_for,LOCK,primask,$(CPUS))
# The recorder reads SysTick.
$(call is_for,TRACE,0,$(CPUS))

# As core/tickwheel/config.h has them.
geometries := 8$(comma)6 6$(comma)4 6$(comma)2
# An example for a small chip names its geometry, in geometry.txt.
geometry_of = $(or $(shell cat examples/$(1)/geometry.txt 2>/dev/null),8$(comma)6)
# The goals that build the variant of GEOMETRY and DEBUG.
VARIANT_GOALS := lib run elf
ifneq ($(filter $(VARIANT_GOALS),$(MAKECMDGOALS)),)
$(call one_of,GEOMETRY,$(geometries))
$(call one_of,DEBUG,0 1)
endif

$(foreach name,CXX CC AR ARM_CXX ARM_CC ARM_AR,$(if $(strip $($(name))),,$(error $(name)=: the name of a program)))
ifneq ($(call on_command_line,LIB),)
$(if $(call word_of,LIB),,$(error LIB=$(LIB): the name of a folder, without a space))
endif

ifeq ($(MAKELEVEL),0)
$(call number,OPS,1,1000000000000)
$(call number,SEED,0,18446744073709551615)
$(call number,HOURS,1,596)
$(if $(filter file,$(origin JOBS)),,$(call number,JOBS,1,1000))
$(if $(V),$(call one_of,V,0 1))
# $(1) variables, $(2) the goals that read them
read_by = $(if $(filter $(2),$(MAKECMDGOALS)),,$(foreach name,$(1),$(if $(call on_command_line,$(name)),\
	$(error $(name)=: is for make $(2); make $(firstword $(MAKECMDGOALS)) does not read it))))
ifneq ($(filter-out help help-all setup clean,$(MAKECMDGOALS)),)
$(call read_by,GEOMETRY DEBUG TRACE,$(VARIANT_GOALS))
$(call read_by,CPU ISA FLOAT LOCK PRIORITY_BITS LIB,lib)
$(call read_by,PORT,single)
$(call read_by,EXAMPLE,run elf)
$(call read_by,OPS SEED,fuzz fuzz-long)
$(call read_by,HOURS,soak-sleep)
$(call read_by,WITH,compare)
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
# An example that some boards cannot run names those that can, in boards.txt.
boards_of = $(or $(shell cat examples/$(1)/boards.txt 2>/dev/null),$(BOARD))
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(call boards_of,$(EXAMPLE))),)
needed_board := $(firstword $(call boards_of,$(EXAMPLE)))
# No emulator has some of them.
needed_goal := $(if $(shell grep '^BOARD_QEMU ' boards/$(needed_board)/board.mk),$(filter run elf,$(MAKECMDGOALS)),elf)
$(error EXAMPLE=$(EXAMPLE): needs BOARD=$(needed_board): `make $(needed_goal) EXAMPLE=$(EXAMPLE) BOARD=$(needed_board)`)
endif
endif

include boards/$(BOARD)/board.mk
ifneq ($(filter run elf,$(MAKECMDGOALS)),)
ifneq ($(filter examples/$(EXAMPLE),$(BOARD_LEAVES_OUT)),)
$(error EXAMPLE=$(EXAMPLE): needs a Cortex-M; BOARD=$(BOARD) has $(BOARD_CPU))
endif
endif
ifneq ($(filter 1,$(TRACE))$(filter test-trace,$(MAKECMDGOALS)),)
ifneq ($(filter $(BOARD_CPU),$(CPUS_RISCV) $(CPUS_AR)),)
$(error BOARD=$(BOARD): the recorder of TRACE=1 needs a Cortex-M; this board has $(BOARD_CPU))
endif
endif
HZ ?= $(or $(BOARD_HZ),1000)
$(call number,HZ,1,100000)
ifeq ($(BOARD_QEMU),)
ifneq ($(filter run quick test test-programs test-all test-else test-else-programs,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): no emulator has this board; `make elf BOARD=$(BOARD)` builds for the real one)
endif
endif
