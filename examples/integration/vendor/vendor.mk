# SPDX-License-Identifier: MIT
# A typical vendor's project template: compilers, flags, start-up, how to run. The Makefile that includes it sets
# TICKWHEEL and its SOURCES. This file knows only the path of tickwheel.
#   make -C <project> run [BUILD=<folder>] [TICKWHEEL=<tickwheel's tree>]
BUILD     ?= $(abspath $(TICKWHEEL)/build/integration/$(notdir $(CURDIR)))
CROSS     ?= arm-none-eabi-

ABI      := -mcpu=cortex-m3 -mthumb
FLAGS     = $(ABI) -Os -g -Wall -Wextra -Wshadow -Werror -ffreestanding -ffunction-sections -fdata-sections \
	-I../vendor $(INCLUDES) -MMD -MP
CFLAGS    = -std=c11 $(FLAGS)
CXXFLAGS  = -std=c++17 $(FLAGS) -fno-exceptions -fno-unwind-tables -fno-asynchronous-unwind-tables -fno-rtti
SOURCES  += ../vendor/startup.c ../vendor/vectors.c ../vendor/chip.c
objects   = $(addprefix $(BUILD)/,$(addsuffix .o,$(notdir $(1))))
vpath %.c $(sort $(dir $(SOURCES)))
vpath %.cpp $(sort $(dir $(SOURCES)))

.DELETE_ON_ERROR:
.PHONY: all run
all: $(BUILD)/firmware.elf
run: all
	@../run.sh mps2-an385 $(BUILD)/firmware.elf

# The C driver links: it adds no library by itself.
$(BUILD)/firmware.elf: $(call objects,$(SOURCES)) $(LIBRARIES) ../vendor/chip.ld
	@$(CROSS)gcc $(ABI) -nostdlib -Wl,--gc-sections -Wl,--fatal-warnings -T ../vendor/chip.ld \
	    $(filter %.o,$^) $(LIBRARIES) -lgcc -o $@
$(BUILD)/%.c.o: %.c | $(BUILD)
	@$(CROSS)gcc $(CFLAGS) -c $< -o $@
$(BUILD)/%.cpp.o: %.cpp | $(BUILD)
	@$(CROSS)g++ $(CXXFLAGS) -c $< -o $@
$(BUILD):
	@mkdir -p $@
-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))
