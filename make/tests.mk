# SPDX-License-Identifier: MIT
# The results of the tests. make builds the programs. test/run_tests.py runs them, JOBS at a time, and adds up what they count.

# $(1) name of the result, $(2) what make builds for it, $(3) command, $(4) limit in seconds of the processor, else 300.
# `make build/results/<name>` runs one alone.
RESULTS := build/results
define result_of
needs_$(1) := $(2)
test_$(1)  := $(1) $(or $(4),300) $(3)
.PHONY: $(RESULTS)/$(1)
$(RESULTS)/$(1): $(2)
	@test/run_tests.py "$$(test_$(1))"
endef
needs = $(sort $(foreach result,$(1),$(needs_$(result))))
tests = $(foreach result,$(1),"$(test_$(result))")

QEMU_TEST := $(BOARD_QEMU) $(BOARD_QEMU_EXACT) -kernel
# $(1) name of the result, $(2) program
host_result  = $(call result_of,$(1),$(HOST)/$(2),$(HOST)/$(2) $(3))
board_result = $(call result_of,$(1),$(FIRMWARE)/$(2).elf,$(QEMU_TEST) $(FIRMWARE)/$(2).elf,$(BOARD_TEST_SECONDS))
$(foreach variant,$(VARIANTS),$(eval $(call host_result,unit-host-$(variant),$(variant)/unit))\
	$(eval $(call board_result,unit-$(BOARD)-$(variant),$(variant)/unit)))
$(eval $(call board_result,unit-$(BOARD)-clang,86/unit-clang))
$(foreach variant,$(GEOMETRIES),$(eval $(call host_result,fuzz-$(variant),$(variant)/fuzz,200000 1)))
$(eval $(call result_of,fuzz-compilers,$(FUZZ_FAST_PROGRAMS),$(FUZZ_FAST_PROGRAMS:%=% 2000000 1 &&) true))
$(foreach geometry,$(GEOMETRIES),$(eval $(call result_of,fuzz-crowd-$(geometry),$(FUZZ_CROWD)/$(geometry)/fuzz,\
	$(FUZZ_CROWD)/$(geometry)/fuzz 100000 2)))
$(eval $(call result_of,failures,,test/builds/mistakes.sh))
$(eval $(call result_of,builds,,test/builds/builds.sh,600))
$(eval $(call result_of,packages,,test/builds/packages.sh))
$(eval $(call result_of,libraries,,test/builds/libraries.sh $(CPUS) $(CPUS_RISCV) $(CPUS_AR),600))
$(eval $(call result_of,two-files,,test/builds/two_files.sh))
$(eval $(call result_of,integrations,,test/builds/integrations.sh))
# These are goals of make.
$(foreach goal,$(RACES) test-freertos test-zephyr,\
	$(eval $(call result_of,$(goal),,$(MAKE) --no-print-directory $(goal),3600)))

#: test
## make test
##     Unit tests on the host and on the emulated board, a short random run, the examples.
## make test-all
##     The same, and the unit tests on a board of each core, the examples on every board, the library for every core,
##     mistakes and foreign firmwares, races, sleep, and the ports to kernels.
## make build/results/<name>
##     One of these tests alone, by the name that they print: unit-host-86-debug.
.PHONY: test test-programs test-all test-rest test-rest-programs board-programs
test: basic-packages
	@+$(MAKE) --no-print-directory -j$(JOBS) test-programs
	@test/run_tests.py $(call tests,$(TEST_RESULTS))
test-all: test
	@+$(MAKE) --no-print-directory test-rest
test-rest:
	@+$(MAKE) --no-print-directory -j$(JOBS) test-rest-programs
	@+$(foreach board,$(OTHER_BOARDS),$(MAKE) --no-print-directory -j$(JOBS) BOARD=$(board) board-programs &&) true
	@test/run_tests.py --show '$(RACES)' $(call tests,$(REST_RESULTS)) $(OTHER_BOARDS:%=@build/%/tests)

## make quick
##     The inner loop, in less than five minutes of one core: unit tests on the PC with all checks and on the board, a short
##     random run in each geometry, then the instructions and bytes of the wheel against their limits.
.PHONY: quick
QUICK_RESULTS := unit-host-86-debug unit-$(BOARD)-86 $(GEOMETRIES:%=fuzz-%)
quick:
	@+$(MAKE) --no-print-directory -j$(JOBS) $(call needs,$(QUICK_RESULTS))
	@test/run_tests.py $(call tests,$(QUICK_RESULTS))
	@+$(MAKE) --no-print-directory -j$(JOBS) --output-sync bench size

## make fuzz [OPS=] [SEED=]
##     Random operations on the wheel and on a sorted list, which must agree. `make fuzz-long` has 10^9 of them by GCC and by
##     clang, optimised, without the address checks. OPS: 1 to 10^12. SEED: 64 bits.
.PHONY: fuzz fuzz-long
fuzz: $(GEOMETRIES:%=$(HOST)/%/fuzz)
	@for geometry in $(GEOMETRIES); do $(HOST)/$$geometry/fuzz $(OPS) $(SEED) || exit 1; done
fuzz-long: private OPS := $(if $(filter file,$(origin OPS)),1000000000,$(OPS))
fuzz-long: private SEED := $(if $(filter file,$(origin SEED)),7,$(SEED))
fuzz-long: $(FUZZ_FAST_PROGRAMS)
	@printf '%s\n' $(FUZZ_FAST_PROGRAMS) | xargs -P $(JOBS) -I {} env {} $(OPS) $(SEED)

-include $(TEST_PARTS)
$(eval $(call result_of,arguments,$(HOST)/86/fuzz $(sleep_out)/random-1000 $(interleavings_out)/86 \
	$(races_out)/stress-cores.elf $(races_out)/sweep-m4-O2.elf,test/builds/arguments.sh))

# One board of each core runs the unit tests: the others would run the same code, as an M0+ runs that of an M0. One board of
# each instruction set runs them on a library by clang too, and, as BOARD, in another geometry.
CORE_BOARDS := mps2-an385 microbit netduinoplus2 mps2-an500 mps2-an521 mps3-an547 riscv-virt riscv-virt-rv32ec integratorcp-r5 vexpress-a9
$(foreach board,$(emulated_boards),$(if $(filter cortex-m0plus $(foreach core,$(CORE_BOARDS),$(cpu_of_$(core))),$(cpu_of_$(board))),,\
	$(error CORE_BOARDS has no board with the core of $(board), $(cpu_of_$(board)))))
unemulated := $(filter-out $(emulated_boards),$(CORE_BOARDS))
$(if $(unemulated),$(error CORE_BOARDS has $(unemulated), without an emulator))
INSTRUCTION_SET_BOARDS := mps2-an385 microbit riscv-virt vexpress-a9
# They run each example on the list, and the demo in the small wheel, too. tiny is written for the list, and any wheel runs it.
example_firmwares := $(patsubst %,$(FIRMWARE)/%.elf,$(sort \
	$(foreach example,$(EXAMPLES),$(call geometry_of,$(example))/$(example)) \
	$(if $(filter $(BOARD),$(INSTRUCTION_SET_BOARDS)),64/demo $(EXAMPLES:%=1/%)) \
	$(filter 62/tiny 1/two_cores,$(EXAMPLES:%=62/%) $(EXAMPLES:%=1/%))))
$(eval $(call result_of,examples-$(BOARD),$(example_firmwares),env QEMU='$(BOARD_QEMU)' EXACT='$(BOARD_QEMU_EXACT)' \
	test/builds/examples.sh $(example_firmwares),$(BOARD_TEST_SECONDS)))
# Each geometry on the PC, and a large and a small one with the checks of a debug build: `make build/results/unit-host-62-debug`
# runs another.
UNIT_VARIANTS := 86 86-debug 64-debug 62 1 1-debug
TEST_RESULTS := $(UNIT_VARIANTS:%=unit-host-%) $(GEOMETRIES:%=fuzz-%) unit-$(BOARD)-86 \
	examples-$(BOARD) $(if $(filter $(BOARD),$(INSTRUCTION_SET_BOARDS)),unit-$(BOARD)-64)
# $(1) board. The tests that only some boards have. A rpi-pico sleeps by the code of a microbit.
board_results = $(if $(filter $(1),$(INSTRUCTION_SET_BOARDS)),unit-$(1)-clang) $(if $(filter $(1),$(filter-out microbit,$(SLEEP_BOARDS))),\
	soak-sleep-$(1)) $(if $(filter $(1),$(SILICON_BOARDS)),silicon-$(1)) \
	$(if $(filter $(counter_boards),$(1)),counter-sleep-$(1)) $(if $(filter $(one_shot_boards),$(1)),one-shot-$(1))
# The longest are first.
REST_RESULTS := $(filter-out $(TEST_RESULTS),$(RACES) libraries builds failures arguments packages $(sort test-freertos test-zephyr \
	fuzz-compilers integrations two-files $(GEOMETRIES:%=fuzz-crowd-%) \
	unit-$(BOARD)-86-debug $(call board_results,$(BOARD))))
test-programs: $(call needs,$(TEST_RESULTS))
# Some of the goals would each make $(TEST_MAIN) at the same time.
test-rest-programs: $(call needs,$(REST_RESULTS)) $(TEST_MAIN)
# Each other board has a make of its own, which writes a list of its tests.
OTHER_BOARDS := $(filter-out $(BOARD),$(emulated_boards))
results_of_other_board := $(if $(filter $(BOARD),$(CORE_BOARDS)),unit-$(BOARD)-86) examples-$(BOARD) $(call board_results,$(BOARD))
board-programs: $(call needs,$(results_of_other_board))
	@printf '%s\n' $(call tests,$(results_of_other_board)) >$(FIRMWARE)/tests
