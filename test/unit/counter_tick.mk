# SPDX-License-Identifier: MIT
# The tests of counter_tick.hpp alone, which nothing else includes, for a copy that was broken on purpose:
# `make -f test/unit/counter_tick.mk counter-tick` in the root.

counter_out ?= build/counter_tick
# Where the wheel and the port are.
counter_core ?= core
counter_port ?= port/counter
counter_cxx ?= g++
counter_warnings ?= -Wall -Wextra -Wshadow -Werror
counter_flags := -std=c++17 -O1 -g $(counter_warnings) -fsanitize=address,undefined -fno-sanitize-recover=all \
    -DTICKWHEEL_TEST_HOST -I$(counter_core) -I$(counter_port) -I$(counter_port)/../host -I$(counter_port)/../cortex_m_systick
counter_sources := test/unit/counter_tick_host.cpp test/unit/before_main.cpp $(counter_core)/tickwheel.cpp \
    $(counter_core)/tickwheel_bug.cpp
# Of every copy the same.
counter_main := build/counter_tick/main.o

.PHONY: counter-tick counter-always
counter-always:
$(counter_main): test/unit/main.cpp
	@mkdir -p $(@D)
	@$(counter_cxx) $(counter_flags) -c $< -o $@
$(counter_out)/results/counter-tick: $(counter_main) counter-always
	@mkdir -p $(@D)
	@$(counter_cxx) $(counter_flags) $(counter_sources) $(counter_main) -o $(counter_out)/counter_tick
	@{ prlimit --cpu=20 $(counter_out)/counter_tick; echo "exit code $$?"; } >$@ 2>&1
counter-tick: $(counter_out)/results/counter-tick
	@test/sum_results.sh $^
