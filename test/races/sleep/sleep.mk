# SPDX-License-Identifier: MIT
# The tickless driver on a model of SysTick, on the host. The Makefile of the root includes this file.

sleep_out := build/sleep
# Cycles of the modelled core, for each program and seed.
sleep_cycles ?= 2000000000
# $1 = tick rate. jiffies wraps after 296 ticks. 300 divides few clocks. Its wheel is Linux's small one, and 100 has the list.
sleep_flags = -std=c++17 -g $(TEST_WARNINGS) $(SANITIZE) -Icore -Itest/races/sleep -Iport/cortex_m_systick \
	-DTICKWHEEL_INITIAL_JIFFIES=4294967000u -DTICKWHEEL_HZ=$1 \
	-DTICKWHEEL_GEOMETRY=$(if $(filter 300,$1),64,$(if $(filter 100,$1),1,86))
sleep_shared := test/races/sleep/simulation.cpp test/races/sleep/hal_counter.cpp $(wildcard core/*.cpp)

.PHONY: sleep soak

# $1 = tick rate, $2 = programs. The optimiser takes longer over the cases than they run, but not over the random runs.
define sleep_programs
$(call objects_in,$(sleep_out)/$1,$(CXX),$(call sleep_flags,$1) -O1)
$(call objects_in,$(sleep_out)/$1,$(CXX),$(call sleep_flags,$1) -O0,test/races/sleep/cases)
$(2:%=$(sleep_out)/%-$1): $(sleep_out)/%-$1: $(sleep_out)/$1/test/races/sleep/%.o \
	$(sleep_shared:%.cpp=$(sleep_out)/$1/%.o)
	$(call say,$$@)$(CXX) $(SANITIZE) $$^ -o $$@
endef
sleep_rates := 1000 300 100
$(foreach rate,$(sleep_rates),$(eval $(call sleep_programs,$(rate),cases random)))
# A rate at which a tick may be as long as the counter, and one at which only the shortest tick fits.
$(eval $(call sleep_programs,10,longest_tick))
$(eval $(call sleep_programs,1000000,random))
sleep_soaks := $(foreach rate,$(sleep_rates),$(foreach seed,2 3 4,sleep-soak-$(rate)-$(seed)))

## make sleep
##     The tickless driver on a model of SysTick: each hazard at every cycle, and 4 * 10^9 cycles at random. `make soak`
##     has 2.4 * 10^11.
# Behind the name of a test are the seconds after which it hangs.
sleep: $(sleep_rates:%=$(sleep_out)/cases-%) $(sleep_rates:%=$(sleep_out)/random-%) $(sleep_out)/longest_tick-10 \
	$(sleep_out)/random-1000000
	@test/run_tests.py --out $(sleep_out)/results --show '$(sleep_rates:%=sleep-random-%)' $(foreach rate,$(sleep_rates),\
		"sleep-random-$(rate) 40 $(sleep_out)/random-$(rate) $(sleep_cycles) 1" "sleep-cases-$(rate) 20 $(sleep_out)/cases-$(rate)") \
		"sleep-longest-tick 20 $(sleep_out)/longest_tick-10" \
		"sleep-random-1000000 20 $(sleep_out)/random-1000000 $(sleep_cycles) 1"
soak: $(sleep_rates:%=$(sleep_out)/random-%)
	@test/run_tests.py --out $(sleep_out)/results --show '$(sleep_soaks)' $(foreach rate,$(sleep_rates),$(foreach seed,2 3 4,\
		"sleep-soak-$(rate)-$(seed) 600 $(sleep_out)/random-$(rate) 40000000000 $(seed)"))
