# SPDX-License-Identifier: MIT
# The models of two cores, and what replays their trails. The Makefile of the root includes this file.

models_out := build/models
models_flags := -std=c++17 -g -O2 $(TEST_WARNINGS) -Icore
# GCC's ThreadSanitizer calls these before each access. steps.cpp comes between.
models_accesses := $(foreach size,1 2 4 8,read$(size) write$(size)) atomic32_store
$(eval $(call objects_in,$(models_out),g++,$(models_flags) -Iport/host))
$(eval $(call objects_in,$(models_out)/watched,g++,$(models_flags) -Iport/smp -fsanitize=thread --param tsan-distinguish-volatile=1))
# core/tickwheel.cpp says for what it is built. The wheels are in replay.cpp.
$(models_out)/replay: $(models_out)/watched/test/models/replay/replay.o $(models_out)/test/models/replay/steps.o $(models_out)/core/tickwheel.o
	$(call say,$@)g++ -fsanitize=thread $(models_accesses:%=-Wl,--wrap=__tsan_%) $^ -o $@

## make test-models
##     Searches all states of what two cores do to a wheel: tick and arm, a delete that waits, two that wait for each
##     other. Each model must hold, and its broken variants must not. Then two threads run the code on the steps by
##     which Spin refuted a variant: the code must hold, and the same variant of the code must not.
.PHONY: test-models
test-models: setup $(models_out)/replay
	@test/models/run $(CURDIR)/$(models_out)/replay
