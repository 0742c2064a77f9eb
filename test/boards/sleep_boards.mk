# SPDX-License-Identifier: MIT
# Sleep and time on a board, compared with a second timer of the board. The Makefile of the root includes this file.

HOURS ?= 24

.PHONY: soak-sleep masked-sleep time-of-day
sleep_board_goals := $(filter soak-sleep masked-sleep time-of-day,$(MAKECMDGOALS))
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
# $1 = name of the program
sleep_program = $(call program,8-6,$1,test/boards/$1.cpp test/boards/independent/$(BOARD).cpp)
$(eval $(call sleep_program,soak_sleep))
$(eval $(call sleep_program,masked_sleep))
$(eval $(call sleep_program,time_of_day))
$(eval $(call result_of,soak-sleep-$(BOARD),$(FIRMWARE)/8-6/soak_sleep.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/soak_sleep.elf,$(BOARD_TEST_SECONDS)))
$(eval $(call result_of,time-of-day-$(BOARD),$(FIRMWARE)/8-6/time_of_day.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/time_of_day.elf,$(BOARD_TEST_SECONDS)))
ifneq ($(and $(BOARD_EMULATOR),$(filter masked-sleep,$(MAKECMDGOALS))),)
$(error BOARD=$(BOARD): `make masked-sleep` counts instructions in QEMU, which does not have this board)
endif
else ifneq ($(sleep_board_goals),)
$(error BOARD=$(BOARD): `make $(sleep_board_goals)` runs on $(SLEEP_BOARDS))
endif

ifneq ($(riscv_board),)
$(eval $(call program,8-6,clint_sleep,test/boards/clint_sleep.cpp))
$(eval $(call result_of,clint-sleep-$(BOARD),$(FIRMWARE)/8-6/clint_sleep.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/clint_sleep.elf))
endif

## make soak-sleep [BOARD=mps2-an385|netduinoplus2|microbit|rpi-pico] [HOURS=24]
##     Virtual hours of sleep with random timers and interrupts. A second timer of the board measures drift and wake-ups.
soak-sleep: $(FIRMWARE)/8-6/soak_sleep.elf
	@$(QEMU_TEST) $< -append $(HOURS) </dev/null

## make masked-sleep [BOARD=mps2-an385|netduinoplus2|microbit]
##     The most instructions for which the tickless driver masks interrupts. The limit is in bench/wheel/limits.
masked_sleep := $(FIRMWARE)/masked_sleep
masked-sleep: $(FIRMWARE)/8-6/masked_sleep.elf $(bench_out)/count.so
	@test/limited 300 $(QEMU_TEST) $< -plugin $(bench_out)/count.so,out=$(masked_sleep).counts </dev/null
	@awk '$$5 > most { most = $$5 } END { print "masked-sleep.$(BOARD_CPU)", most }' $(masked_sleep).counts >$(masked_sleep).figures
	@python3 -B bench/report/limits.py $(masked_sleep).figures

## make time-of-day [BOARD=mps2-an385|netduinoplus2|microbit|rpi-pico]
##     A second timer of the board measures now_us, msleep, ticks_passed and a change of the clock.
time-of-day: $(FIRMWARE)/8-6/time_of_day.elf
	@$(QEMU_TEST) $< </dev/null
