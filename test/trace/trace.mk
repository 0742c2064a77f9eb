# SPDX-License-Identifier: MIT
# tools/trace on a firmware in QEMU and on the shell. The Makefile of the root includes this file.
trace_out := build/trace
trace_firmware := $(FIRMWARE)/8-6-trace/traced.elf
$(eval $(call program,8-6-trace,traced,test/trace/firmware.cpp))

# The recorder on the PC.
$(eval $(call objects_in,$(trace_out)/host,$(CXX),-std=c++17 $(HOST_FLAGS) -Itools/trace,test/trace/))
$(trace_out)/recorder: $(trace_out)/host/test/trace/recorder.o $(HOST)/8-6/test/unit/main.o \
	$(HOST)/8-6/test/unit/before_main.o $(HOST)/8-6/libwheel.a
	$(call say,$@)$(CXX) $(SANITIZE) $^ -o $@

# What a browser needs to open the trace.
$(trace_out)/node_modules: test/trace/package.json test/trace/package-lock.json | $(trace_setup)
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

## make trace
##     Runs the shell's script in QEMU with hooks in the wheel. Converts the trace to build/trace/trace.json, trace.vcd
##     and ctf/, opens each in a tool that others have made, and compares the counts.
## make test-trace [BOARD=mps2-an385|microbit]
##     The recorder with nested interrupts, sleep, lost and torn records; the converters without a browser.
.PHONY: trace test-trace
trace: $(FIRMWARE)/8-6-trace/shell.elf $(trace_out)/node_modules
	@QEMU='$(QEMU_TEST)' test/run.py --out $(trace_out)/results --show shell "shell 300 python3 -B test/trace/shell $< $(trace_out) --browser"
test-trace: $(trace_firmware) $(FIRMWARE)/8-6-trace/shell.elf $(trace_out)/recorder
	@QEMU='$(QEMU_TEST)' test/run.py --out $(trace_out)/results --show firmware-$(BOARD) "recorder 60 cd $(trace_out) && ./recorder && python3 -B ../../test/trace/images.py" \
		"firmware-$(BOARD) 120 python3 -B test/trace/firmware $(trace_firmware) $(trace_out)/$(BOARD)" \
		"shell-$(BOARD) 120 python3 -B test/trace/shell $(FIRMWARE)/8-6-trace/shell.elf $(trace_out)/$(BOARD)-shell"
