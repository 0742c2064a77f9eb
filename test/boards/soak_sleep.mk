# SPDX-License-Identifier: MIT
# Hours of sleep. Included by the Makefile of the root, whose boards it takes.

HOURS ?= 24
independent := test/boards/independent/$(BOARD).cpp

.PHONY: soak-sleep masked-sleep
ifneq ($(filter $(BOARD),$(SLEEP_BOARDS)),)
$(eval $(call program,8-6,soak_sleep,test/boards/soak_sleep.cpp $(independent)))
$(eval $(call result_of,soak-sleep-$(BOARD),$(FIRMWARE)/8-6/soak_sleep.elf,$(QEMU_TEST) $(FIRMWARE)/8-6/soak_sleep.elf))
$(eval $(call program,8-6,masked_sleep,test/boards/masked_sleep.cpp $(independent)))
else ifneq ($(filter soak-sleep masked-sleep,$(MAKECMDGOALS)),)
$(error BOARD=$(BOARD): `make $(filter soak-sleep masked-sleep,$(MAKECMDGOALS))` runs on $(SLEEP_BOARDS))
endif

## make soak-sleep [BOARD=mps2-an385|netduinoplus2|microbit] [HOURS=24]
##     Virtual hours of sleep with random timers and interrupts, against a second timer of the board: drift, wake-ups.
soak-sleep: $(FIRMWARE)/8-6/soak_sleep.elf
	@$(QEMU_TEST) $< -append $(HOURS) </dev/null

## make masked-sleep [BOARD=mps2-an385|netduinoplus2|microbit]
##     For how many instructions the tickless driver masks interrupts at most, against the limit in bench/wheel/limits.
masked_sleep := $(FIRMWARE)/masked_sleep
masked-sleep: $(FIRMWARE)/8-6/masked_sleep.elf $(bench_out)/count.so
	@timeout 300 $(QEMU_TEST) $< -plugin $(bench_out)/count.so,out=$(masked_sleep).counts </dev/null
	@awk '$$1 == "masked" { print "masked-sleep.$(BOARD_CPU)", $$2 }' $(masked_sleep).counts >$(masked_sleep).figures
	@python3 -B bench/report/limits.py $(masked_sleep).figures
