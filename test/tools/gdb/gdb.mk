# SPDX-License-Identifier: MIT
# `info timers` of tools/gdb on a firmware in QEMU. The Makefile of the root includes this file.
gdb_out := build/gdb
gdb_flags := -mcpu=cortex-m3 -mthumb -g -DTICKWHEEL_HZ=250 $(TEST_WARNINGS) $(FREESTANDING_C) -Icore -Iport/cortex_m
gdb_sources := test/tools/gdb/firmware.cpp boards/mps2-an385/board.cpp $(wildcard core/*.cpp boards/startup/*.cpp)

# The code lies at 0, where GDB 13 also sees the functions that the linker discarded. At -O0 and -O2 those of core are larger
# than the vector table and cover what lies behind it, so there nothing is discarded (docs/debugging.md).
# $(1) name, $(2) compiler for C++, $(3) for C, $(4) flags
define gdb_image
$(call objects_in,$(gdb_out)/$(1),$(2),$(gdb_flags) $(FREESTANDING) $(4))
$(call objects_in,$(gdb_out)/$(1),$(3),-std=c11 $(gdb_flags) $(4),,c)
$(gdb_out)/$(1)-discards.elf: $(gdb_out)/$(1)/test/tools/gdb/discarded.o
$(gdb_out)/$(1).elf $(gdb_out)/$(1)-discards.elf: $(gdb_sources:%.cpp=$(gdb_out)/$(1)/%.o) \
	$(gdb_out)/$(1)/test/tools/gdb/devices.o linker/mps2-an385.ld linker/sections.ld
	$(call say,$$@)arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -nostdlib -nostartfiles $(if $(filter -Os,$(4)),-Wl$(comma)--gc-sections) \
		-Wl,-z,noexecstack $$(if $$(findstring discards,$$@),-Wl$$(comma)-u$$(comma)kept) -T linker/mps2-an385.ld $$(filter %.o,$$^) -lgcc -o $$@
gdb_programs += $(gdb_out)/$(1).elf $(if $(filter -Os,$(4)),$(gdb_out)/$(1)-discards.elf)
gdb_tests += "$(1) 120 python3 -B test/tools/gdb/compare_listings.py $(gdb_out)/$(1).elf" \
	$(if $(filter -Os,$(4)),"$(1)-discards 120 python3 -B test/tools/gdb/compare_listings.py $(gdb_out)/$(1)-discards.elf --list")
endef
gdb_gcc = $(call gdb_image,gdb-gcc$(1),arm-none-eabi-g++,arm-none-eabi-gcc,$(2))
gdb_clang = $(call gdb_image,gdb-clang$(1),clang++-$(LLVM) $(CLANG_ARM),clang-$(LLVM) $(CLANG_ARM),$(2))
$(eval $(call gdb_gcc,-O0,-O0))
$(eval $(call gdb_gcc,-Os,-Os))
$(eval $(call gdb_gcc,-O2,-O2))
$(eval $(call gdb_gcc,-Os-debug,-Os -DTICKWHEEL_DEBUG=1))
$(eval $(call gdb_clang,-O0,-O0))
$(eval $(call gdb_clang,-Os,-Os))

## make test-gdb
##     GDB lists the timers of a firmware in QEMU, of a core file and of an image of RAM. Six builds must give the same
##     listing, line by line, also when the linker discarded more code than it kept.
.PHONY: test-gdb
test-gdb: $(gdb_programs)
	@test/run_tests.py --out $(gdb_out)/results $(gdb_tests)
