# SPDX-License-Identifier: MIT
# tools/trace on a firmware in QEMU. The Makefile of the root includes this file.
trace_out := build/trace
trace_firmware := $(FIRMWARE)/86-trace/traced.elf
$(eval $(call program,86-trace,traced,test/trace/firmware.cpp))

## make test-trace [BOARD=mps2-an385|microbit]
##     The recorder with nested interrupts, sleep, lost and torn records, and what GDB makes of them. Prints where a trace of
##     a late timer is.
.PHONY: test-trace
test-trace: $(trace_firmware)
	@QEMU='$(QEMU_TEST)' test/run_tests.py --out $(trace_out)/results --show trace-$(BOARD) \
		"trace-$(BOARD) 120 python3 -B test/trace/compare_traces.py $< $(trace_out)/$(BOARD)"
