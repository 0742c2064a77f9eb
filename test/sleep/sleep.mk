# SPDX-License-Identifier: MIT
# The tickless driver on a model of SysTick, on the host. Included by the Makefile of the root; also
# `make -f test/sleep/sleep.mk sleep` there.

sleep_out ?= build/sleep
# What must have been done before anything is built; an including Makefile may set it before.
sleep_setup ?=
# Where the wheel and the driver are; other folders to try a copy that was broken on purpose.
sleep_core ?= core
sleep_port ?= port/cortex_m_systick
# Of the modelled core, for each program and seed.
sleep_cycles ?= 2000000000
sleep_soak_cycles ?= 40000000000
sleep_cxx ?= g++
sleep_warnings ?= -Wall -Wextra -Wshadow -Werror
sleep_flags := -std=c++17 -O1 -g $(sleep_warnings) -fsanitize=address,undefined -fno-sanitize-recover=all \
    -I$(sleep_core) -Itest/sleep -I$(sleep_port)
sleep_shared := test/sleep/simulation.cpp test/sleep/hal_counter.cpp $(sleep_core)/tickwheel.cpp $(sleep_core)/tickwheel_bug.cpp
sleep_headers := $(wildcard test/sleep/*.hpp test/sleep/tickwheel/* $(sleep_core)/tickwheel/* $(sleep_port)/tickwheel/*) \
    test/sleep/sleep.mk

.PHONY: sleep sleep-cases sleep-random sleep-longest-tick soak sleep-always
sleep-always:

# $1 = name of the program, $2 = source, or a folder of them, $3 = flags
define sleep_program
$$(sleep_out)/$1: $$(wildcard test/sleep/$2.cpp test/sleep/$2/*.cpp) $$(sleep_shared) $$(sleep_headers) | $$(sleep_setup)
	@mkdir -p $$(@D)
	@$$(sleep_cxx) $$(sleep_flags) $3 $$(filter %.cpp,$$^) -o $$@
endef
# $1 = result, $2 = program, $3 = arguments, $4 = seconds of the processor after which it hangs. What it printed and its
# exit code, for test/sum_results.sh.
define sleep_result
$$(sleep_out)/results/$1: $$(sleep_out)/$2 sleep-always
	@mkdir -p $$(@D)
	@echo "run  $1"
	@{ prlimit --cpu=$4 $$< $3; echo "exit code $$$$?"; } >$$@ 2>&1
endef
sleep_rates := 1000 300
sleep_1000 :=
# A tick rate that divides few clocks, and Linux's small wheel.
sleep_300 := -DTICKWHEEL_HZ=300 -DTICKWHEEL_TVR_BITS=6 -DTICKWHEEL_TVN_BITS=4
$(foreach rate,$(sleep_rates),$(eval $(call sleep_program,cases-$(rate),cases,$(sleep_$(rate))))\
	$(eval $(call sleep_program,random-$(rate),random,$(sleep_$(rate))))\
	$(eval $(call sleep_result,sleep-cases-$(rate),cases-$(rate),,20))\
	$(eval $(call sleep_result,sleep-random-$(rate),random-$(rate),$(sleep_cycles) 1,40))\
	$(foreach seed,2 3 4,$(eval $(call sleep_result,sleep-soak-$(rate)-$(seed),random-$(rate),$(sleep_soak_cycles) $(seed),600))))
# A rate at which a tick may be as long as the counter.
$(eval $(call sleep_program,longest_tick-10,longest_tick,-DTICKWHEEL_HZ=10))
$(eval $(call sleep_result,sleep-longest-tick,longest_tick-10,,20))
sleep_results := $(foreach rate,$(sleep_rates),$(foreach part,cases random,$(sleep_out)/results/sleep-$(part)-$(rate))) \
    $(sleep_out)/results/sleep-longest-tick
sleep_soak_results := $(foreach rate,$(sleep_rates),$(foreach seed,2 3 4,$(sleep_out)/results/sleep-soak-$(rate)-$(seed)))

## make sleep
##     The tickless driver on a model of SysTick: each hazard at every cycle, and 4 * 10^9 cycles at random. `make soak`
##     has 2.4 * 10^11.
sleep: $(sleep_results)
	@grep -h 'worst error' $^ || true
	@test/sum_results.sh $^
# One rate, for a driver that was broken on purpose.
sleep-cases sleep-random: %: $(sleep_out)/results/%-1000
	@test/sum_results.sh $^
sleep-longest-tick: $(sleep_out)/results/sleep-longest-tick
	@test/sum_results.sh $^
soak: soak-model
.PHONY: soak-model
soak-model: $(sleep_soak_results)
	@grep -h 'worst error' $^ || true
	@test/sum_results.sh $^
