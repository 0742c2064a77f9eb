# SPDX-License-Identifier: MIT
# The test programs.

UNIT_SOURCES := $(wildcard test/unit/*.cpp test/unit/*.c)
# The others need the host's port or library.
BOARD_UNIT_SOURCES := $(filter-out %_host.cpp $(BOARD_LEAVES_OUT),$(UNIT_SOURCES))
FUZZ_SOURCES := $(wildcard test/fuzz/*.cpp)

# On the host: doctest, with address and undefined-behaviour checks.
HOST       := build/host
SANITIZE   := -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_FLAGS := -O1 -g $(TEST_WARNINGS) $(SANITIZE) -fno-omit-frame-pointer -DTICKWHEEL_TEST_HOST -Icore -Iport/host \
	-Iport/counter -Iport/cortex_m_systick -Iport/smp
# $(1) variant
define host_of
$(call objects_in,$(HOST)/$(1),$(CXX),-std=c++17 $(HOST_FLAGS) $(call variant_flags,$(1)))
$(call objects_in,$(HOST)/$(1),$(CC),-std=c11 $(HOST_FLAGS) $(call variant_flags,$(1)),,c)
$(call archive,$(HOST)/$(1)/libwheel.a,$(AR),$(patsubst %.cpp,$(HOST)/$(1)/%.o,$(wildcard core/*.cpp)))
$(HOST)/$(1)/unit: $(patsubst %,$(HOST)/$(1)/%.o,$(basename $(UNIT_SOURCES))) $(HOST)/$(1)/libwheel.a
$(HOST)/$(1)/fuzz: $(FUZZ_SOURCES:%.cpp=$(HOST)/$(1)/%.o) $(HOST)/$(1)/libwheel.a
$(HOST)/$(1)/unit $(HOST)/$(1)/fuzz:
	$(call say,$$@)$(CXX) $(SANITIZE) $$^ -o $$@
endef
$(foreach variant,$(VARIANTS),$(eval $(call host_of,$(variant))))

# The fuzzer for long runs: by each compiler, optimised, without the checks.
FUZZ_FAST := build/host-fast
FUZZ_COMPILERS := g++ clang++-14
# $(1) compiler, $(2) geometry
define fuzz_fast_of
$(call objects_in,$(FUZZ_FAST)/$(1)/$(2),$(1),-std=c++17 -O2 $(TEST_WARNINGS) -Icore -Iport/host \
	$(call variant_flags,$(2)))
$(FUZZ_FAST)/$(1)/$(2)/fuzz: $(patsubst %.cpp,$(FUZZ_FAST)/$(1)/$(2)/%.o,$(FUZZ_SOURCES) $(filter-out %_bug.cpp,$(wildcard core/*.cpp)))
	$(call say,$$@)$(1) $$^ -o $$@
endef
$(foreach compiler,$(FUZZ_COMPILERS),$(foreach geometry,$(GEOMETRIES),\
	$(eval $(call fuzz_fast_of,$(compiler),$(geometry)))))
FUZZ_FAST_PROGRAMS := $(foreach geometry,$(GEOMETRIES),$(FUZZ_COMPILERS:%=$(FUZZ_FAST)/%/$(geometry)/fuzz))

# On the board: the same sources. unit-clang has the same objects, on a library that clang builds.
$(foreach variant,$(VARIANTS),$(eval $(call program,$(variant),unit,$(BOARD_UNIT_SOURCES))))
$(eval $(call objects_in,$(FIRMWARE)/clang,clang++-14 $(FIRMWARE_CLANG),\
	$(filter-out -misa-spec=%,$(FIRMWARE_FLAGS)) $(call warnings,clang)))
$(eval $(call archive,$(FIRMWARE)/clang/libwheel.a,$(FIRMWARE_AR),$(WHEEL_SOURCES:%.cpp=$(FIRMWARE)/clang/%.o)))
$(FIRMWARE)/8-6/unit-clang.elf: $(patsubst %,$(FIRMWARE)/8-6/%.o,$(basename $(BOARD_UNIT_SOURCES) $(BOARD_SOURCES))) \
	$(FIRMWARE)/clang/libwheel.a
