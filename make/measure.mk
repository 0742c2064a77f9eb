# SPDX-License-Identifier: MIT
# Figures and their limits.

#: measure
-include $(MEASURE_PARTS)

## make figures
##     Measures as bench, bench-few, bench-cores, bench-one-shot, size and fuzz do. Writes their tables, and the figures of
##     README's promises, into the pages. `make figures-check` checks the limits instead, and fails if a page has another
##     figure.
.PHONY: figures figures-check
figures: bench-table size-table bench-few bench-cores-table bench-one-shot
figures-check: bench size bench-few bench-cores bench-one-shot
figures figures-check: $(bench_out)/fuzz.txt
	@python3 -B bench/report/figures.py $(if $(filter figures-check,$@),--check) $(bench_out)
# This is `make fuzz` without OPS and SEED.
$(bench_out)/fuzz.txt: build/host/86/fuzz
	@mkdir -p $(@D)
	@$< 1000000 1 >$@ || { cat $@; exit 1; }
