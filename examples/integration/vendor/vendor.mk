# SPDX-License-Identifier: MIT
# What a vendor's project template brings: compilers, flags, start-up, how to run. The Makefile that includes it has
# set TICKWHEEL, its SOURCES, and CPU and FLOAT when they are not those below. Nothing here knows more of tickwheel than its path.
#   make -C <project> run [BUILD=<folder>] [TICKWHEEL=<tickwheel's tree>]
BUILD     ?= $(abspath $(TICKWHEEL)/build/integration/$(notdir $(CURDIR)))
CROSS     ?= arm-none-eabi-
CPU       ?= cortex-m3
FLOAT     ?= soft
# The board that QEMU has with this core.
BOARD_cortex-m3 := mps2-an385
BOARD_cortex-m7 := mps2-an500

ABI      := -mcpu=$(CPU) -mthumb -mfloat-abi=$(FLOAT)
FLAGS     = $(ABI) -Os -g -Wall -Wextra -Wshadow -Werror -ffreestanding -ffunction-sections -fdata-sections \
	-I../vendor $(INCLUDES) $(DEFINES) -MMD -MP
CFLAGS    = -std=c11 $(FLAGS)
CXXFLAGS  = -std=c++17 $(FLAGS) -fno-exceptions -fno-unwind-tables -fno-asynchronous-unwind-tables -fno-rtti
SOURCES  += ../vendor/startup.c ../vendor/chip.c
# One program of SOURCES, or several, each of these and of its own SOURCES_<program>.
PROGRAMS ?= firmware
objects   = $(addprefix $(BUILD)/,$(addsuffix .o,$(notdir $(1))))
OBJECTS   = $(call objects,$(SOURCES) $(foreach program,$(PROGRAMS),$(SOURCES_$(program))))
vpath %.c $(sort $(dir $(SOURCES)))
vpath %.cpp $(sort $(dir $(SOURCES)))

.DELETE_ON_ERROR:
.PHONY: all run
all: $(PROGRAMS:%=$(BUILD)/%.elf)
run: all
	@$(foreach program,$(PROGRAMS),../firmware/run.sh $(BOARD_$(CPU)) $(BUILD)/$(program).elf &&) true

$(foreach program,$(PROGRAMS),$(eval $(BUILD)/$(program).elf: $(call objects,$(SOURCES) $(SOURCES_$(program)))))
# By the driver of C: no library comes by itself.
$(BUILD)/%.elf: $(LIBRARIES) ../vendor/chip.ld
	@$(CROSS)gcc $(ABI) -nostdlib -Wl,--gc-sections -Wl,--fatal-warnings -T ../vendor/chip.ld \
	    $(filter %.o,$^) $(LIBRARIES) -lgcc -o $@
$(BUILD)/%.c.o: %.c | $(BUILD)
	@$(CROSS)gcc $(CFLAGS) -c $< -o $@
$(BUILD)/%.cpp.o: %.cpp | $(BUILD)
	@$(CROSS)g++ $(CXXFLAGS) -c $< -o $@
$(BUILD):
	@mkdir -p $@
-include $(OBJECTS:.o=.d)
