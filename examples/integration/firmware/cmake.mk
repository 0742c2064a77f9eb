# SPDX-License-Identifier: MIT
# The commands that a project of CMake's is built and run by:
#   make run [BUILD=<absolute folder>]
# prints what its programs print, and nothing else. PROGRAMS has a name:board for each.
TREE := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../../..)
BUILD ?= $(TREE)/build/integration/$(notdir $(CURDIR))

# Configures source folder $(1) in folder $(2) with options $(3), and builds it. MAKEFLAGS are this make's alone.
configure_and_build = mkdir -p $(2) && { MAKEFLAGS= cmake -S $(1) -B $(2) $(3) \
	-DCMAKE_TOOLCHAIN_FILE=$(TREE)/examples/integration/firmware/toolchain.cmake && \
	MAKEFLAGS= cmake --build $(2); } >$(2)/log.txt 2>&1 || { cat $(2)/log.txt >&2; exit 1; }

.PHONY: all run
all:
	@$(call configure_and_build,.,$(BUILD)/project,$(OPTIONS))
run: all
	@$(foreach program,$(PROGRAMS),echo '$(word 1,$(subst :, ,$(program))):' && \
		$(TREE)/examples/integration/firmware/run.sh $(word 2,$(subst :, ,$(program))) \
		$(BUILD)/project/$(word 1,$(subst :, ,$(program))).elf &&) true
