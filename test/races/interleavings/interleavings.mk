# SPDX-License-Identifier: MIT
# All interleavings, on the host. The Makefile of the root includes this file.

interleavings_out := build/interleavings
interleavings_depth ?= 2
# The tenth of the scenarios that has this depth, 1 to 10; 0 for all. The others have one interrupt.
interleavings_tenth ?= 0
interleavings_sources := test/races/interleavings/interleavings.cpp core/tickwheel.cpp

.PHONY: interleavings

# $1 = name, $2 = flags, $3 = depth
define interleavings_program
$(call objects_in,$(interleavings_out)/objects/$1,$(CXX),-std=c++17 -g $(TEST_WARNINGS) -Icore -Iport/host $2 \
    -Ibuild/prove/$(call geometry_in,$1))
$(interleavings_out)/objects/$1/test/races/interleavings/interleavings.o: $(call invariants_of,$1)
$(interleavings_out)/$1: $(interleavings_sources:%.cpp=$(interleavings_out)/objects/$1/%.o)
	$(call say,$$@)$(CXX) $2 $$^ -o $$@
interleavings_programs += $(interleavings_out)/$1
interleavings_tests += "interleavings-$1 1800 $(interleavings_out)/$1 $3"
endef
$(foreach geometry,$(GEOMETRIES),$(eval $(call interleavings_program,$(geometry),$(call variant_flags,$(geometry)) -O2,\
    $(interleavings_depth) $(interleavings_tenth))))
# The same with the address and undefined-behaviour checks, not so deep. One geometry is enough, because the unit tests and
# the fuzzer have these checks in each.
$(eval $(call interleavings_program,64-checked,$(call variant_flags,64) -O1 $(SANITIZE),1))

## make interleavings
##     Tries every way in which up to two interrupts, or three of fewer kinds, can come between the masked sections of
##     every call, on the host. interleavings_depth=1..9 sets another number of interrupts. The gate takes them for a tenth
##     of the scenarios, interleavings_tenth=1..10, and one interrupt, or two, for the others.
interleavings: $(interleavings_programs)
	@test/run_tests.py --out $(interleavings_out)/results --show '$(GEOMETRIES:%=interleavings-%)' $(interleavings_tests)
