# SPDX-License-Identifier: MIT
# The lines and branches of core that the unit tests on the host reach, all variants together.
coverage_out := build/coverage
# With exceptions each call would have one more branch.
coverage_flags := -O0 -g --coverage -fno-exceptions -DDOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS \
    -DTICKWHEEL_TEST_HOST -Icore -Iport/host -Iport/counter -Iport/cortex_m_systick -Iport/smp
coverage_programs := $(VARIANTS:%=$(coverage_out)/%/unit)

# $1 = variant. The wheel is an archive, because the tests define tickwheel_bug() themselves.
define coverage_variant
$(call objects_in,$(coverage_out)/$1,g++,-std=c++17 $(coverage_flags) $(call variant_flags,$1))
$(call objects_in,$(coverage_out)/$1,gcc,-std=c11 $(coverage_flags) $(call variant_flags,$1),,c)
$(call archive,$(coverage_out)/$1/libwheel.a,ar,$(patsubst %.cpp,$(coverage_out)/$1/%.o,$(wildcard core/*.cpp)))
$(coverage_out)/$1/unit: $(patsubst %,$(coverage_out)/$1/%.o,$(basename $(UNIT_SOURCES))) $(coverage_out)/$1/libwheel.a
	$(call say,$$@)g++ --coverage $$^ -o $$@
endef
$(foreach variant,$(VARIANTS),$(eval $(call coverage_variant,$(variant))))

## make coverage
##     Prints the lines and branches of core that the unit tests reach. A line that they miss needs a reason.
.PHONY: coverage
coverage: $(coverage_programs)
	@find $(coverage_out) -name '*.gcda' -delete
	@for program in $^; do $$program >$$program.log 2>&1 || { tail -n 20 $$program.log; exit 1; }; done
	@gcovr --root . --filter core/ --exclude-throw-branches --json $(coverage_out)/coverage.json $(coverage_out)
	@python3 -B test/coverage/coverage.py $(coverage_out)/coverage.json

# The ways of the branches in the object code, of the unit tests on two boards. $1 = BOARD and OPT.
branches_out := $(coverage_out)/branches
$(branches_out)/branches.so: test/coverage/branches.c bench/wheel/qemu_plugin.h
	@mkdir -p $(@D)
	@gcc -std=c11 -Wall -Wextra -O2 -fPIC -shared -fvisibility=hidden $< -o $@
define coverage_branches_of
.PHONY: $(branches_out)/$1$2
$(branches_out)/$1$2: setup
	@$$(MAKE) --no-print-directory BOARD=$1 OPT=$2 FIRMWARE=$$@ $$@/branches
endef
branches_builds := $(foreach board,mps2-an385 microbit,$(board)-O2 $(board)-Os)
$(foreach board,mps2-an385 microbit,$(foreach level,-O2 -Os,$(eval $(call coverage_branches_of,$(board),$(level)))))
$(FIRMWARE)/branches: $(FIRMWARE)/8-6/unit.elf $(branches_out)/branches.so
	@$(QEMU_TEST) $< -plugin $(branches_out)/branches.so,out=$@ </dev/null >$@.log || { tail -n 20 $@.log; exit 1; }

## make coverage-branches
##     Prints how many ways of the conditional branches in the wheel's code the unit tests go on two boards, at -O2
##     and -Os. A way that they miss needs a reason.
.PHONY: coverage-branches
coverage-branches: $(branches_builds:%=$(branches_out)/%)
	@python3 -B test/coverage/branches.py $(ARM_CXX:%g++=%) $^

# MC/DC. clang 19 is the first compiler that has it. Some tests want calls that only an optimiser removes.
conditions_out := $(coverage_out)/conditions
conditions_flags := -O1 -Wno-everything -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc $(filter-out -O0 -g --coverage,$(coverage_flags))
$(eval $(call objects_in,$(conditions_out),clang++-19,-std=c++17 $(conditions_flags) $(call variant_flags,8-6)))
$(eval $(call objects_in,$(conditions_out),clang-19,-std=c11 $(conditions_flags) $(call variant_flags,8-6),,c))
conditions_objects = $(patsubst %,$(conditions_out)/%.o,$(basename $(1)) core/tickwheel)
$(conditions_out)/unit: $(call conditions_objects,$(call host_unit,8-6))
$(conditions_out)/fuzz: $(call conditions_objects,$(FUZZ_SOURCES))
$(conditions_out)/unit $(conditions_out)/fuzz:
	$(call say,$@)clang++-19 -fprofile-instr-generate $^ -o $@

## make coverage-conditions
##     Prints which conditions of core show their own effect (MC/DC) in the unit tests and the random run, by clang 19.
##     A condition that does not needs a reason.
.PHONY: coverage-conditions
coverage-conditions: $(conditions_out)/unit $(conditions_out)/fuzz
	@LLVM_PROFILE_FILE=$(conditions_out)/unit.profile $(conditions_out)/unit >$(conditions_out)/unit.log
	@LLVM_PROFILE_FILE=$(conditions_out)/fuzz.profile $(conditions_out)/fuzz 200000 1 >$(conditions_out)/fuzz.log
	@llvm-profdata-19 merge $(conditions_out)/unit.profile $(conditions_out)/fuzz.profile -o $(conditions_out)/all.profile
	@llvm-cov-19 export -instr-profile $(conditions_out)/all.profile $(conditions_out)/unit -object $(conditions_out)/fuzz \
		>$(conditions_out)/conditions.json 2>$(conditions_out)/export.log
	@python3 -B test/coverage/conditions.py $(conditions_out)/conditions.json
