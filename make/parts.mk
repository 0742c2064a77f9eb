# SPDX-License-Identifier: MIT
# The parts of tickwheel that have rules next to their sources. Only this file names them and their goals.

TEST_PARTS := test/races/races.mk test/boards/sleep_boards.mk test/races/sleep/sleep.mk \
	test/races/interleavings/interleavings.mk test/tools/gdb/gdb.mk test/freertos/freertos.mk test/zephyr/zephyr.mk \
	test/proof/models/models.mk
MEASURE_PARTS := bench/wheel/wheel.mk bench/cores/cores.mk bench/one_shot/one_shot.mk bench/few/few.mk \
	test/proof/masked/masked.mk test/proof/wheel/prove.mk
CHECK_PARTS := test/check/coverage/coverage.mk tools/page/page.mk test/tools/page/page.mk

# The variables of the parts that a user may set, as in `make interleavings interleavings_depth=3`. Each part checks its own.
PART_VARIABLES := sweep_tenth stress_cores_operations sleep_cycles interleavings_depth interleavings_tenth masked_tenth SUITE PROVE

# Goals that look for races. `make test-all` runs them and shows what they count.
RACES := sweep sweep-m0 sweep-riscv stress-cores interleavings contexts sleep
# Real boards that measure themselves by a second timer, and emulated boards whose second timer measures sleep.
SILICON_BOARDS := nrf52840dk rpi-pico stm32vldiscovery
SLEEP_BOARDS := $(filter-out nrf52840dk stm32vldiscovery,\
	$(patsubst test/boards/second_timers/%.cpp,%,$(wildcard test/boards/second_timers/*.cpp)))
