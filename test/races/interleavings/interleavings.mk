# SPDX-License-Identifier: MIT
# All interleavings, on the host. The Makefile of the root includes this file.

interleavings_out := build/interleavings
interleavings_depth ?= 2
# Of the smaller wheels.
interleavings_depth_small ?= $(interleavings_depth)
interleavings_flags := -std=c++17 -g $(TEST_WARNINGS) -Icore -Iport/host
interleavings_sources := test/races/interleavings/interleavings.cpp core/tickwheel.cpp
interleavings_headers := $(wildcard test/races/interleavings/*.hpp test/races/*.hpp test/support/*.hpp \
    core/tickwheel/* core/wheel/* port/host/tickwheel/*) test/races/interleavings/interleavings.mk

.PHONY: interleavings

# $1 = name, $2 = flags, $3 = depth
define interleavings_program
interleavings_programs += $$(interleavings_out)/$1
interleavings_tests += "interleavings-$1 1800 $$(interleavings_out)/$1 $3"
$$(interleavings_out)/$1: $$(interleavings_sources) $$(interleavings_headers)
	@mkdir -p $$(@D)
	@$$(CXX) $$(interleavings_flags) $2 $$(interleavings_sources) -o $$@
endef
interleavings_checks := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
$(foreach geometry,$(GEOMETRIES),$(eval $(call interleavings_program,$(geometry),$(call variant_flags,$(geometry)) -O2,\
    $(if $(filter 86,$(geometry)),$(interleavings_depth),$(interleavings_depth_small)))))
# The same with the address and undefined-behaviour checks, not so deep.
$(foreach geometry,$(GEOMETRIES),$(eval $(call interleavings_program,$(geometry)-checked,\
    $(call variant_flags,$(geometry)) $(interleavings_checks),1)))

## make interleavings
##     Tries every way in which up to two interrupts, or three of fewer kinds, can come between the masked sections of
##     every call, on the host. interleavings_depth=1..9 for others.
interleavings: $(interleavings_programs)
	@test/run_tests.py --out $(interleavings_out)/results --show '$(GEOMETRIES:%=interleavings-%)' $(interleavings_tests)
