# SPDX-License-Identifier: MIT
# Programs that measure a board by a second timer of it. The Makefile of the root includes this file.

# The firmware for silicon is a variant of its own, because emulators need another TICKWHEEL_SYSTICK_RESTART_COST. In the exact variant,
# an instruction takes 8 ns in the emulator. Without -icount, rp2040js takes the cycles of each instruction.
.PHONY: silicon soak-sleep
ifneq ($(filter $(BOARD),$(SILICON_BOARDS) $(SLEEP_BOARDS)),)
# The longest masked sections of this core: $1 = 5 is the column of the wheel, 8 of a sleep by SysTick, 10 of one by a counter.
silicon_core   := $(subst plus,+,$(BOARD_CPU:cortex-m%=M%))
silicon_proved = $(shell awk '$$2 == "GCC" && $$3 == "$(OPT)" && $$4 == "-" && "," $$1 "," ~ /,$(subst +,[+],$(silicon_core)),/ \
	{ print $$$1; exit }' test/proof/masked/proved)
# The compiler that the page names for them, which may be another one than that of the program.
silicon_proved_for = $(shell sed -n '/figures: masked/{n;s/^arm-none-eabi-g++ \([0-9.]*\),.*/\1/p}' docs/figures.md)
silicon_flags = $(if $(findstring exact,$(1)),-DSILICON_EXACT,-UTICKWHEEL_SYSTICK_RESTART_COST) -DSILICON_BOARD=$(BOARD) \
	-DSILICON_CPU=$(BOARD_CPU) -DSILICON_PROVED_FOR=$(silicon_proved_for) -DSILICON_PROVED_WHEEL=$(call silicon_proved,5) \
	-DSILICON_PROVED_SLEEP=$(call silicon_proved,$(if $(BOARD_QEMU),8,10))
# $(1) variant, $(2) more sources
define silicon_program
$(call firmware_of,$(1))
$(call program,$(1),silicon,test/boards/silicon.cpp test/boards/second_timers/$(BOARD).cpp $(2))
endef
endif

silicon_elf := $(FIRMWARE)/86-silicon/silicon.elf
silicon_run := $(BOARD_QEMU) $(if $(BOARD_EMULATOR),,$(BOARD_QEMU_EXACT)) -kernel $(silicon_elf)
ifneq ($(filter $(BOARD),$(SILICON_BOARDS)),)
$(eval $(call silicon_program,86-silicon))
$(eval $(call result_of,silicon-$(BOARD),$(silicon_elf),$(silicon_run)))
else ifneq ($(filter silicon,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make silicon` measures $(SILICON_BOARDS))
endif

soak_elf := $(FIRMWARE)/86-silicon-exact/silicon.elf
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
$(eval $(call silicon_program,86-silicon-exact,test/boards/time_of_day.cpp))
$(eval $(call result_of,soak-sleep-$(BOARD),$(soak_elf),$(QEMU_TEST) $(soak_elf) -append 1,$(BOARD_TEST_SECONDS)))
else ifneq ($(filter soak-sleep,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make soak-sleep` runs on $(SLEEP_BOARDS))
endif

# A counter makes the tick, or there is no tick: one-shot mode has the rate of the counter.
counter_boards   := mps2-an385 $(if $(riscv_board),$(BOARD))
one_shot_boards  := mps2-an385 riscv-virt rpi-pico
counter_flags    := -Itest/boards/counters/$(if $(riscv_board),riscv-virt,$(BOARD))
one_shot_hz      := $(if $(riscv_board),1250000,$(if $(filter rpi-pico,$(BOARD)),1000000,1562500))
one_shot_flags   := -DTICKWHEEL_ONE_SHOT=1 -DTICKWHEEL_HZ=$(one_shot_hz) $(counter_flags)
ifneq ($(filter $(BOARD),$(counter_boards)),)
$(eval $(call objects_in,$(FIRMWARE)/86,$(FIRMWARE_CXX),$(FIRMWARE_FLAGS) $(FIRMWARE_TESTS) $(call variant_flags,86) \
	$(counter_flags),test/boards/counter_))
$(eval $(call program,86,counter_sleep,test/boards/counter_sleep.cpp))
$(eval $(call board_result,counter-sleep-$(BOARD),86/counter_sleep))
endif
ifneq ($(filter $(BOARD),$(one_shot_boards)),)
$(eval $(call firmware_of,86-one_shot))
$(eval $(call program,86-one_shot,one_shot,test/boards/one_shot.cpp))
$(eval $(call board_result,one-shot-$(BOARD),86-one_shot/one_shot))
endif

## make soak-sleep [BOARD=mps2-an385|microbit|rpi-pico] [HOURS=24]
##     The program of `make silicon` on an emulated board, where the second timer is exact: also the start of the tick, now_us,
##     msleep, a change of the clock, and virtual hours of sleep, 1 to 596, with random timers and interrupts.
soak-sleep: $(soak_elf)
	@$(QEMU_TEST) $< -append $(HOURS) </dev/null

## make silicon BOARD=nrf52840dk|rpi-pico|stm32vldiscovery
##     Builds the program that measures tickwheel on that board: cycles, masked time, drift, order under load. It runs first
##     in the emulator, if one has the board. docs/silicon.md says how to flash it and what to send.
flash_nrf52840dk       := openocd -f board/nordic_nrf52_dk.cfg -c 'program $(silicon_elf) verify reset exit'
flash_rpi-pico         := picotool load -v -x $(silicon_elf)
flash_stm32vldiscovery := openocd -f board/stm32vldiscovery.cfg -c 'program $(silicon_elf) verify reset exit'
silicon: $(silicon_elf)
	@$(if $(BOARD_QEMU),$(silicon_run) </dev/null)
	@echo "$(silicon_elf): flash it with $(flash_$(BOARD))"
