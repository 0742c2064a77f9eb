# SPDX-License-Identifier: MIT
# Hours of sleep. Included by the Makefile of the root, whose boards it takes.

HOURS ?= 24
independent := test/target/independent/$(BOARD).cpp

.PHONY: soak-sleep
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
$(eval $(call program,8-6,soak_sleep,test/target/soak_sleep.cpp $(independent)))
$(eval $(call result_of,soak-sleep-$(BOARD),$(FIRMWARE)/8-6/soak_sleep.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/soak_sleep.elf))
else ifneq ($(filter soak-sleep,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make soak-sleep` runs on $(SLEEP_BOARDS))
endif

## make soak-sleep [BOARD=mps2-an385|netduinoplus2|microbit] [HOURS=24]
##     Virtual hours of sleep with random timers and interrupts, against a second timer of the board: drift, wake-ups.
soak-sleep: $(FIRMWARE)/8-6/soak_sleep.elf
	@$(QEMU_TEST) $< -append $(HOURS) </dev/null
