# SPDX-License-Identifier: MIT
# Sleep and time on a board, compared with a second timer of the board. The Makefile of the root includes this file.

HOURS ?= 24

.PHONY: soak-sleep masked-sleep time-of-day silicon
sleep_board_goals := $(filter soak-sleep masked-sleep time-of-day,$(MAKECMDGOALS))
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
second_timer := test/boards/independent/$(BOARD).cpp
sleep_elf    := $(FIRMWARE)/8-6/sleep.elf
$(eval $(call program,8-6,sleep,test/boards/sleep.cpp test/boards/soak.cpp test/boards/time_of_day.cpp $(second_timer)))
$(eval $(call program,8-6,masked_sleep,test/boards/masked_sleep.cpp $(second_timer)))
$(eval $(call result_of,soak-sleep-$(BOARD),$(sleep_elf),$(QEMU_TEST) $(sleep_elf) -append 1,$(BOARD_TEST_SECONDS)))
$(eval $(call result_of,time-of-day-$(BOARD),$(sleep_elf),$(QEMU_TEST) $(sleep_elf),$(BOARD_TEST_SECONDS)))
ifneq ($(and $(BOARD_EMULATOR),$(filter masked-sleep,$(MAKECMDGOALS))),)
$(error BOARD=$(BOARD): `make masked-sleep` counts instructions in QEMU, which does not have this board)
endif
else ifneq ($(sleep_board_goals),)
$(error BOARD=$(BOARD): `make $(sleep_board_goals)` runs on $(SLEEP_BOARDS))
endif

# The firmware for silicon is a variant of its own. Emulators need another TICKWHEEL_SYSTICK_LOST. Without -icount, rp2040js
# takes the cycles of each instruction.
ifneq ($(filter $(BOARD),$(SILICON_BOARDS)),)
silicon_elf := $(FIRMWARE)/8-6-silicon/silicon.elf
# The longest masked sections of this core, from docs/figures.md: $1 = 6 is the column of the wheel, 8 of SysTick's driver,
# 9 of a counter's.
silicon_core   := $(subst plus,+,$(BOARD_CPU:cortex-m%=M%))
silicon_proved = $(shell awk -F ' *[|] *' '$$4 == "$(OPT)" && $$3 == "GCC" && $$5 == "" && ", " $$2 "," ~ /, $(subst +,[+],$(silicon_core)),/ \
	{ print $$$1; exit }' docs/figures.md)
silicon_flags := -UTICKWHEEL_SYSTICK_LOST -DSILICON_BOARD=$(BOARD) -DSILICON_CPU=$(BOARD_CPU) \
	-DSILICON_PROVED_WHEEL=$(call silicon_proved,6) -DSILICON_PROVED_SLEEP=$(call silicon_proved,$(if $(BOARD_QEMU),8,9))
silicon_run := $(BOARD_QEMU) $(if $(BOARD_EMULATOR),,$(BOARD_QEMU_EXACT)) -kernel $(silicon_elf)
$(eval $(call firmware_of,8-6-silicon))
$(eval $(call program,8-6-silicon,silicon,test/boards/silicon.cpp test/boards/independent/$(BOARD).cpp))
$(eval $(call result_of,silicon-$(BOARD),$(silicon_elf),$(silicon_run)))
else ifneq ($(filter silicon,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make silicon` measures $(SILICON_BOARDS))
endif

ifneq ($(riscv_board),)
$(eval $(call program,8-6,clint_sleep,test/boards/clint_sleep.cpp))
$(eval $(call result_of,clint-sleep-$(BOARD),$(FIRMWARE)/8-6/clint_sleep.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/clint_sleep.elf))
endif

## make soak-sleep [BOARD=mps2-an385|netduinoplus2|microbit|rpi-pico] [HOURS=24]
##     Virtual hours of sleep with random timers and interrupts. A second timer of the board measures drift and wake-ups.
soak-sleep: $(sleep_elf)
	@$(QEMU_TEST) $< -append $(HOURS) </dev/null

## make masked-sleep [BOARD=mps2-an385|netduinoplus2|microbit]
##     The most instructions for which the tickless driver masks interrupts. The limit is in bench/wheel/limits.
masked_sleep := $(FIRMWARE)/masked_sleep
masked-sleep: $(FIRMWARE)/8-6/masked_sleep.elf $(bench_out)/count.so
	@test/limited 300 $(QEMU_TEST) $< -plugin $(bench_out)/count.so,out=$(masked_sleep).counts </dev/null
	@awk '$$5 > most { most = $$5 } END { print "masked-sleep.$(BOARD_CPU)", most }' $(masked_sleep).counts >$(masked_sleep).figures
	@python3 -B bench/report/limits.py bench/wheel/limits $(masked_sleep).figures

## make time-of-day [BOARD=mps2-an385|netduinoplus2|microbit|rpi-pico]
##     A second timer of the board measures now_us, msleep, ticks_passed and a change of the clock.
time-of-day: $(sleep_elf)
	@$(QEMU_TEST) $< </dev/null

## make silicon BOARD=nrf52840dk|rpi-pico|stm32vldiscovery
##     Builds the program that measures tickwheel on that board: cycles, masked time, drift, order under load. It runs first
##     in the emulator, if one has the board. docs/silicon.md says how to flash it and what to send.
flash_nrf52840dk       := openocd -f board/nordic_nrf52_dk.cfg -c 'program $(silicon_elf) verify reset exit'
flash_rpi-pico         := picotool load -v -x $(silicon_elf)
flash_stm32vldiscovery := openocd -f board/stm32vldiscovery.cfg -c 'program $(silicon_elf) verify reset exit'
silicon: $(silicon_elf)
	@$(if $(BOARD_QEMU),$(silicon_run) </dev/null)
	@echo "$(silicon_elf): flash it with $(flash_$(BOARD))"
