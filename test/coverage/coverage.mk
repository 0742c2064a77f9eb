# SPDX-License-Identifier: MIT
# The lines and branches of core that the unit tests on the host reach, all variants together.
.PHONY: coverage
coverage_setup ?=
coverage_out := build/coverage
coverage_cxx := g++
coverage_cc := gcc
# With exceptions each call would have one more branch.
coverage_flags := -O0 -g --coverage -fno-exceptions -DDOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS \
    -DTICKWHEEL_TEST_HOST -Icore -Iport/host -Iport/counter -Iport/cortex_m_systick -MMD -MP
coverage_sources := core/tickwheel.cpp core/tickwheel_bug.cpp $(wildcard test/unit/*.cpp test/unit/*.c)

# $1 = name, $2 = TVR_BITS, $3 = TVN_BITS, $4 = DEBUG
define coverage_variant
coverage_programs += $$(coverage_out)/$1/unit
coverage_objects_$1 := $$(patsubst %,$$(coverage_out)/$1/%.o,$$(basename $$(coverage_sources)))
coverage_flags_$1 := $$(coverage_flags) -DTICKWHEEL_TVR_BITS=$2 -DTICKWHEEL_TVN_BITS=$3 -DTICKWHEEL_DEBUG=$4
$$(coverage_out)/$1/%.o: %.cpp test/coverage/coverage.mk | $$(coverage_setup)
	@mkdir -p $$(@D)
	@$$(coverage_cxx) -std=c++17 $$(coverage_flags_$1) -c $$< -o $$@
$$(coverage_out)/$1/%.o: %.c test/coverage/coverage.mk | $$(coverage_setup)
	@mkdir -p $$(@D)
	@$$(coverage_cc) -std=c11 $$(coverage_flags_$1) -c $$< -o $$@
# An archive, because the tests define tickwheel_bug() themselves.
$$(coverage_out)/$1/libwheel.a: $$(filter %/core/tickwheel.o %/core/tickwheel_bug.o,$$(coverage_objects_$1))
	@rm -f $$@
	@ar rcsD $$@ $$^
$$(coverage_out)/$1/unit: $$(filter-out %/core/tickwheel.o %/core/tickwheel_bug.o,$$(coverage_objects_$1)) \
    $$(coverage_out)/$1/libwheel.a
	@$$(coverage_cxx) --coverage $$^ -o $$@
-include $$(coverage_objects_$1:.o=.d)
endef
$(eval $(call coverage_variant,8-6,8,6,0))
$(eval $(call coverage_variant,8-6-debug,8,6,1))
$(eval $(call coverage_variant,6-4,6,4,0))
$(eval $(call coverage_variant,6-4-debug,6,4,1))

## make coverage
##     Prints the lines and branches of core that the unit tests reach. A line that they miss needs a reason.
coverage: $(coverage_programs)
	@find $(coverage_out) -name '*.gcda' -delete
	@for program in $^; do $$program >$$program.log 2>&1 || { tail -n 20 $$program.log; exit 1; }; done
	@gcovr --root . --filter core/ --exclude-throw-branches --json $(coverage_out)/coverage.json $(coverage_out)
	@python3 -B test/coverage/coverage.py $(coverage_out)/coverage.json
