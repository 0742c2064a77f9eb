# SPDX-License-Identifier: MIT
# All interleavings, on the host. The Makefile of the root includes this file.

interleavings_out := build/interleavings
interleavings_depth ?= 2
# Of the small wheel.
interleavings_depth_small ?= $(interleavings_depth)
$(foreach name,interleavings_depth interleavings_depth_small,$(call number,$(name),1,9))
interleavings_flags := -std=c++17 -g $(TEST_WARNINGS) -DTICKWHEEL_DEBUG=0 -Icore -Iport/host
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
interleavings_8-6 := -DTICKWHEEL_TVR_BITS=8 -DTICKWHEEL_TVN_BITS=6
interleavings_6-4 := -DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=4
interleavings_checks := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
$(eval $(call interleavings_program,8-6,$(interleavings_8-6) -O2,$(interleavings_depth)))
$(eval $(call interleavings_program,6-4,$(interleavings_6-4) -O2,$(interleavings_depth_small)))
# The same with the address and undefined-behaviour checks, not so deep.
$(eval $(call interleavings_program,8-6-checked,$(interleavings_8-6) $(interleavings_checks),1))
$(eval $(call interleavings_program,6-4-checked,$(interleavings_6-4) $(interleavings_checks),1))

## make interleavings
##     Tries every way in which up to two interrupts, or three of fewer kinds, can come between the masked sections of
##     every call, on the host. interleavings_depth=1..9 for others.
interleavings: $(interleavings_programs)
	@test/run.py --out $(interleavings_out)/results --show 'interleavings-8-6 interleavings-6-4' $(interleavings_tests)
