# SPDX-License-Identifier: MIT
# The time that sleeping leaves behind. Included by the Makefile of the root, after soak_sleep.mk, whose boards it takes.

.PHONY: time-of-day
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
$(eval $(call program,8-6,time_of_day,test/boards/time_of_day.cpp $(independent)))
$(eval $(call result_of,time-of-day-$(BOARD),$(FIRMWARE)/8-6/time_of_day.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/time_of_day.elf))
else ifneq ($(filter time-of-day,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make time-of-day` runs on $(SLEEP_BOARDS))
endif

## make time-of-day [BOARD=mps2-an385|netduinoplus2|microbit]
##     now_us, msleep, ticks_passed and a change of the clock against a second timer of the board.
time-of-day: $(FIRMWARE)/8-6/time_of_day.elf
	@$(QEMU_TEST) $< </dev/null
