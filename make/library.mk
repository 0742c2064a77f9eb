# SPDX-License-Identifier: MIT
# The library as archives, and as two files.

#: run
## make lib [CPU=] [ISA=] [OPT=] [FLOAT=] [LOCK=] [PRIORITY_BITS=] [HZ=] [GEOMETRY=] [DEBUG=]
##         [COUNTER=] [CROSS=] [CXX=clang++] [LIB=]
##     Builds build/lib/<cpu>/libtickwheel.a, and libtickwheel_systick.a for a Cortex-M. Prints where they are. The
##     folder's name has each choice that is not the default. LIB: another folder.
##     CPU: host or cortex-m0, m0plus, m1, m3, m4, m7, m23, m33, m35p, m55; rv32imac, rv32imc, rv32ec;
##     cortex-r5, cortex-a9, which have the instruction sets ISA: thumb, arm. OPT: -Os, -O2, -Og, ..
##     FLOAT: soft, softfp, hard. LOCK: primask, none, basepri:<0x20 to 0xff, or 32 to 255>.
##     PRIORITY_BITS: __NVIC_PRIO_BITS of your chip, 3 to 8. Only a priority below 0x20 needs it.
##     HZ: ticks a second, 1 to 4000000. GEOMETRY: 86 (as Linux), 64 or 62 for less RAM, or 1, a list for ten timers.
##     DEBUG: 1 reports misuse to tickwheel_bug(). COUNTER: a folder of port/one_shot, for one-shot mode.
##     CROSS: the prefix of your GCC and ar, as in /opt/gcc/bin/arm-none-eabi-. CXX: a clang.
lib_choices := $(filter-out -thumb,-$(ISA)) $(filter-out -Os,$(OPT)) $(filter-out -soft,-$(FLOAT)) \
	$(filter-out -primask,-$(subst :,-,$(LOCK))) $(filter-out -hz1000,-hz$(HZ)) $(patsubst -86%,%,-$(asked_variant)) \
	$(COUNTER:%=-%) $(if $(findstring clang,$(CXX)),-clang)
LIB := build/lib/$(CPU)$(subst $(space),,$(strip $(lib_choices)))
LIB_FILES := $(LIB)/libtickwheel.a

ifeq ($(CPU),host)
LIB_CXX   := $(CXX)
LIB_AR    := $(AR)
LIB_FLAGS := -Icore -Iport/host
else ifneq ($(filter $(CPU),$(CPUS_RISCV)),)
riscv_cross := $(if $(filter file,$(origin CROSS)),riscv64-unknown-elf-,$(CROSS))
LIB_CXX   := $(if $(findstring clang,$(CXX)),$(CXX) $(CLANG_RISCV),$(riscv_cross)g++)
LIB_AR    := $(riscv_cross)ar
LIB_FLAGS := $(call riscv_abi,$(CPU),$(LIB_CXX)) -Icore -Iport/riscv
else ifneq ($(filter $(CPU),$(CPUS_AR)),)
LIB_CXX   := $(if $(findstring clang,$(CXX)),$(CXX) $(CLANG_ARM),$(ARM_CXX))
LIB_AR    := $(ARM_AR)
LIB_FLAGS := -mcpu=$(CPU) -m$(ISA) -mfloat-abi=$(FLOAT) -Icore -Iport/cortex_ar
else
LIB_CXX   := $(if $(findstring clang,$(CXX)),$(CXX) $(CLANG_ARM),$(ARM_CXX))
LIB_AR    := $(ARM_AR)
LIB_FLAGS := -mcpu=$(CPU) -m$(ISA) -mfloat-abi=$(FLOAT) -Icore -Iport/cortex_m -Iport/cortex_m_systick
# A linker needs them in this order.
LIB_FILES := $(if $(COUNTER),,$(LIB)/libtickwheel_systick.a) $(LIB)/libtickwheel.a
endif
$(eval $(call objects_in,$(LIB),$(LIB_CXX),$(OPT) -g $(FREESTANDING) $(call warnings,$(LIB_CXX)) $(LIB_FLAGS) \
	$(LOCK_FLAGS) $(HZ_FLAGS) $(COUNTER:%=-DTICKWHEEL_ONE_SHOT=1 -Iport/one_shot/%) $(call variant_flags,$(asked_variant))))

.PHONY: lib
lib: $(LIB_FILES)
	@printf '%s\n' $(LIB_FILES)
$(eval $(call archive,$(LIB)/libtickwheel.a,$(LIB_AR),$(LIB)/core/tickwheel.o,say))
$(eval $(call archive,$(LIB)/libtickwheel_systick.a,$(LIB_AR),$(LIB)/port/cortex_m_systick/tickwheel_systick.o,say))

## make single [PORT=]
##     Writes build/single/tickwheel.h and tickwheel.cpp, a wheel to copy into your program. Their first comments say how.
##     PORT: cortex_m, cortex_ar, riscv, host. For cortex_m there is also the driver of SysTick. PORT=arduino: a library for
##     the Arduino IDE and PlatformIO, in build/single/tickwheel.
.PHONY: single
single:
	@rm -rf build/single
	@python3 -B tools/single.py $(PORT) build/single$(if $(filter arduino,$(PORT)),/tickwheel)
	@find build/single -type f | sort
