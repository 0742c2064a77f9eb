# SPDX-License-Identifier: MIT
# The code of core that the tests reach. The Makefile of the root includes this file.
coverage_out := build/coverage
# clang 19 is the first compiler that has MC/DC. It optimises what programs.mk does. With exceptions each call would have one
# more branch.
coverage_flags := -Wno-everything -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -fno-exceptions \
	-DDOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS -DTICKWHEEL_TEST_HOST -Icore -Iport/host \
	-Iport/cortex_m_systick -Iport/smp
coverage_programs := 86/unit 86-debug/unit 86/fuzz 1-debug/unit 1/fuzz

# $1 = variant
define coverage_variant
$(call objects_in,$(coverage_out)/$1,test/check/coverage/compile clang++-$(LLVM),-std=c++17 -O1 $(coverage_flags) $(call variant_flags,$1))
$(call objects_in,$(coverage_out)/$1,test/check/coverage/compile clang++-$(LLVM),-std=c++17 -O0 $(coverage_flags) $(call variant_flags,$1),test/unit/)
$(call objects_in,$(coverage_out)/$1,test/check/coverage/compile clang++-$(LLVM),-std=c++17 -O1 $(coverage_flags) $(call variant_flags,$1),test/unit/geometries_)
$(call objects_in,$(coverage_out)/$1,test/check/coverage/compile clang-$(LLVM),-std=c11 $(coverage_flags) $(call variant_flags,$1),,c)
$(coverage_out)/$1/unit: $(patsubst %,$(coverage_out)/$1/%.o,$(call host_unit,$1) core/tickwheel test/unit/main)
$(coverage_out)/$1/fuzz: $(patsubst %.cpp,$(coverage_out)/$1/%.o,$(FUZZ_SOURCES) core/tickwheel.cpp)
$(coverage_out)/$1/unit $(coverage_out)/$1/fuzz:
	$(call say,$$@)clang++-$(LLVM) -fprofile-instr-generate $$^ -o $$@
endef
$(foreach variant,86 86-debug 1-debug 1,$(eval $(call coverage_variant,$(variant))))
$(coverage_out)/%.json: $(coverage_out)/%
	@LLVM_PROFILE_FILE=$<.raw $< $(if $(filter fuzz,$(<F)),200000 1) >$<.log || { tail -n 20 $<.log; exit 1; }
	@llvm-profdata-$(LLVM) merge $<.raw -o $<.profile
	@llvm-cov-$(LLVM) export -instr-profile $<.profile $< >$@ 2>$<.export.log && ! grep . $<.export.log

## make coverage
##     Prints the code, the branches and the conditions (MC/DC) of core that the unit tests and the random run reach on the
##     host. Each place that they miss needs a reason.
.PHONY: coverage
coverage: $(coverage_programs:%=$(coverage_out)/%.json)
	@! echo 'bool left_out(bool a, bool b, bool c) { return a && !(b && c); }' | test/check/coverage/compile clang++-$(LLVM) \
		$(coverage_flags) -xc++ -c - -o $(coverage_out)/left_out.o 2>/dev/null || \
		{ echo 'test/check/coverage/compile: a decision that MC/DC leaves out is no error'; exit 1; }
	@python3 -B test/check/coverage/coverage.py $^
