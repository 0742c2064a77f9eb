# SPDX-License-Identifier: MIT
# What one-shot mode costs. The Makefile of the root includes this file after bench/wheel/wheel.mk.

one_shot_out := $(bench_out)/one_shot
one_shot_of_tick  :=
one_shot_of_wheel := -DTICKWHEEL_ONE_SHOT=1 -DTICKWHEEL_HZ=1000000
one_shot_of_list  := $(one_shot_of_wheel) -DTICKWHEEL_GEOMETRY=1
one_shot_builds := $(foreach cpu,cortex-m3 cortex-m0,$(foreach queue,tick wheel list,$(queue)-$(cpu)))
$(foreach cpu,cortex-m3 cortex-m0,$(foreach queue,tick wheel list,$(eval $(call bench_firmware,$(one_shot_out)/$(queue)-$(cpu),\
    $(bench_cxx),$(bench_flags) -Ibench/one_shot $(one_shot_of_$(queue)),-mthumb -mcpu=$(cpu) -O2,\
    core/tickwheel.cpp $(bench_m_startup) bench/one_shot/one_shot.cpp,mps2-an385))))

## make bench-one-shot
##     Counts what one-shot mode costs, with the wheel and with the list, and what a tick costs beside it: a time-out that
##     is armed and deleted with 1 to 1000 others pending, an arm that moves the alarm, and a timer of 1 ms. docs/figures.md
##     has the table.
.PHONY: bench-one-shot
one_shot_counted := $(foreach build,$(one_shot_builds),$(foreach n,1 10 100 1000,$(build)-$n))
bench-one-shot: $(one_shot_counted:%=$(one_shot_out)/%.counts)
	@python3 -B bench/report/counts.py calls $(one_shot_out) "$(one_shot_counted)" arm=arm move=alarm \
	    single_timeout_arm=timeout-arm single_timeout_cancel=timeout-cancel one_shot_tick=entry period_tick=rest
	@sed -n 's/\.average / /p' $(one_shot_out)/figures
