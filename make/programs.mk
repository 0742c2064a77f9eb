# SPDX-License-Identifier: MIT
# The test programs.

UNIT_SOURCES := $(wildcard test/unit/*.cpp test/unit/*.c)
# Sources named _host need the host's port or library.
BOARD_UNIT_SOURCES := $(filter-out %_host.cpp $(BOARD_LEAVES_OUT),$(UNIT_SOURCES))
# Of variant $(1). A list has no slots.
without_slots = $(if $(filter 1 1-debug,$(1)),$(patsubst %,test/unit/%.cpp,slots interrupted_host))
FUZZ_SOURCES := $(wildcard test/fuzz/*.cpp)

# The host runs them with doctest, and with address and undefined-behaviour checks. The optimiser takes longer over most tests
# than they run, but geometries_host.cpp runs longer.
HOST       := build/host
SANITIZE   := -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_FLAGS := -g $(TEST_WARNINGS) $(SANITIZE) -fno-omit-frame-pointer -DTICKWHEEL_TEST_HOST -Icore -Iport/host \
	-Iport/cortex_m_systick -Iport/smp
# rates_host.cpp is in one program: it depends on neither geometry nor checks. Four that take long are in two, because they
# depend on the checks, but their wheels have geometries of their own, or theirs does not matter.
host_unit = $(basename $(filter-out test/unit/main.cpp $(without_slots) $(if $(filter 86,$(1)),,test/unit/rates_host.cpp) \
	$(if $(filter 86%,$(1)),,$(patsubst %,test/unit/%_host.cpp,geometries rearming counter_tick one_shot)),$(UNIT_SOURCES)))
# The formulas of test/proof/wheel as C++, for the tests that look at a wheel wherever the lock opens.
build/prove/%/invariants.hpp: $(wildcard test/proof/wheel/*.py)
	@mkdir -p $(@D)
	@/usr/bin/python3 -B test/proof/wheel/checks.py $* >$@.new && mv $@.new $@
# Without z3 the file is empty. It is made again when z3 has come.
$(if $(wildcard /usr/lib/python3/dist-packages/z3),$(foreach empty,\
	$(shell find build/prove -name invariants.hpp -empty 2>/dev/null),$(eval $(empty): always)))
geometry_in = $(firstword $(subst -, ,$(1)))
# Of variant $(1). checks.py writes none of a list.
invariants_of = $(patsubst %,build/prove/%/invariants.hpp,$(filter-out 1,$(geometry_in)))
# $(1) variant
define host_of
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 -O1 $(HOST_FLAGS) $(call variant_flags,$(1)))
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 -O0 $$(HOST_FLAGS) $(call variant_flags,$(1)),test/unit/)
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 -O1 $(HOST_FLAGS) $(call variant_flags,$(1)),test/unit/geometries_)
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 -O1 $(HOST_FLAGS) $(call variant_flags,$(1)) \
	-Ibuild/prove/$(call geometry_in,$(1)),test/fuzz/)
$(FUZZ_SOURCES:%.cpp=$(HOST)/$(1)/%.o): $(call invariants_of,$(1))
$(call objects_in,$(HOST)/$(1),$(CC),-std=c11 -O0 $(HOST_FLAGS) $(call variant_flags,$(1)),test/unit/,c)
$(call archive,$(HOST)/$(1)/libwheel.a,$(AR),$(patsubst %.cpp,$(HOST)/$(1)/%.o,$(wildcard core/*.cpp)))
$(HOST)/$(1)/unit: $(patsubst %,$(HOST)/$(1)/%.o,$(call host_unit,$(1))) $(TEST_MAIN) $(HOST)/$(1)/libwheel.a
$(HOST)/$(1)/fuzz: $(FUZZ_SOURCES:%.cpp=$(HOST)/$(1)/%.o) $(HOST)/$(1)/libwheel.a
$(HOST)/$(1)/unit $(HOST)/$(1)/fuzz:
	$(call say,$$@)$(CXX) $(SANITIZE) $$^ -o $$@
endef
$(foreach variant,$(VARIANTS),$(eval $(call host_of,$(variant))))
$(TEST_MAIN): private HOST_FLAGS := $(filter-out $(SANITIZE),$(HOST_FLAGS)) -DTICKWHEEL_LINK_CHECK=0

# The fuzzer for long runs, optimised, without the checks.
# $(1) folder, $(2) compiler, $(3) geometry, $(4) flags
define fuzz_fast_of
$(call objects_in,$(1),$(2),-std=c++17 $(TEST_WARNINGS) -Icore -Iport/host $(call variant_flags,$(3)) $(4))
$(1)/fuzz: $(patsubst %.cpp,$(1)/%.o,$(FUZZ_SOURCES) core/tickwheel.cpp)
	$(call say,$$@)$(2) $$^ -o $$@
endef
# Both compilers. clang builds for size, where an arm tests for a past tick in another place.
fuzz_fast_g++ := -O2
fuzz_fast_clang++-$(LLVM) := -Os
FUZZ_FAST := build/host-fast
FUZZ_COMPILERS := g++ clang++-$(LLVM)
$(foreach compiler,$(FUZZ_COMPILERS),$(foreach geometry,$(GEOMETRIES),\
	$(eval $(call fuzz_fast_of,$(FUZZ_FAST)/$(compiler)/$(geometry),$(compiler),$(geometry),$(fuzz_fast_$(compiler))))))
FUZZ_FAST_PROGRAMS := $(foreach geometry,$(GEOMETRIES),$(FUZZ_COMPILERS:%=$(FUZZ_FAST)/%/$(geometry)/fuzz))
# These have so many timers that a slot cascades in several runs.
FUZZ_CROWD := build/host-crowd
$(foreach geometry,$(GEOMETRIES),\
	$(eval $(call fuzz_fast_of,$(FUZZ_CROWD)/$(geometry),$(CXX),$(geometry),-O2 -Ibuild/prove/$(geometry) \
		-DFUZZ_TIMERS=$(if $(findstring 86,$(geometry)),300,150)))\
	$(eval $(FUZZ_SOURCES:%.cpp=$(FUZZ_CROWD)/$(geometry)/%.o): $(call invariants_of,$(geometry))))

# A board runs the same sources. unit-clang has the same objects, with a library by clang.
$(foreach variant,$(VARIANTS),\
	$(eval $(call program,$(variant),unit,$(filter-out $(call without_slots,$(variant)),$(BOARD_UNIT_SOURCES)))))
$(eval $(call objects_in,$(FIRMWARE)/clang,clang++-$(LLVM) $(FIRMWARE_CLANG),\
	$(filter-out -misa-spec=%,$(FIRMWARE_FLAGS)) $(call warnings,clang)))
$(eval $(call archive,$(FIRMWARE)/clang/libwheel.a,$(FIRMWARE_AR),$(WHEEL_SOURCES:%.cpp=$(FIRMWARE)/clang/%.o)))
$(FIRMWARE)/86/unit-clang.elf: $(patsubst %,$(FIRMWARE)/86/%.o,$(basename $(BOARD_UNIT_SOURCES) $(BOARD_SOURCES))) \
	$(FIRMWARE)/clang/libwheel.a
