# SPDX-License-Identifier: MIT
# tools/trace on firmwares in QEMU. The Makefile of the root includes this file.
trace_out := build/trace
trace_firmware := $(FIRMWARE)/8-6-trace/traced.elf
$(eval $(call program,8-6-trace,traced,test/trace/firmware.cpp))
$(eval $(call program,8-6-trace,late,test/trace/late.cpp))

# The recorder on the PC.
$(eval $(call objects_in,$(trace_out)/host,$(CXX),-std=c++17 -O1 $(HOST_FLAGS) -Itools/trace,test/trace/))
$(trace_out)/recorder: $(trace_out)/host/test/trace/recorder.o $(HOST)/8-6/test/unit/main.o \
	$(HOST)/8-6/test/unit/before_main.o $(HOST)/8-6/libwheel.a
	$(call say,$@)$(CXX) $(SANITIZE) $^ -o $@

trace_runs := QEMU='$(QEMU_TEST)' test/run.py --out $(trace_out)/results
trace_late := $(FIRMWARE)/8-6-trace/late.elf
## make trace
##     Runs ten seconds of a program with hooks in the wheel, in which one timer is late. Converts the trace to trace.json
##     in build/trace/<board>, and looks there for the late timer.
## make test-trace [BOARD=mps2-an385|microbit]
##     The recorder with nested interrupts, sleep, lost and torn records; the converter, also with damaged
##     images and streams.
.PHONY: trace test-trace
trace: $(trace_late)
	@$(trace_runs) --show late "late 300 python3 -B test/trace/late $< $(trace_out)/$(BOARD)"
test-trace: $(trace_firmware) $(trace_late) $(trace_out)/recorder
	@$(trace_runs) --show "firmware-$(BOARD) damaged" "damaged 300 python3 -B test/trace/damaged.py" \
		"recorder 60 cd $(trace_out) && ./recorder && python3 -B ../../test/trace/images.py" \
		"firmware-$(BOARD) 120 python3 -B test/trace/firmware $(trace_firmware) $(trace_out)/$(BOARD)-firmware" \
		"late-$(BOARD) 120 python3 -B test/trace/late $(trace_late) $(trace_out)/$(BOARD)"
