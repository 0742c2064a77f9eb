# SPDX-License-Identifier: MIT
# The page on which the wheel runs. The Makefile of the root includes this file.
page_out := build/page
# The template of a port has a lock that touches no memory. A page has no interrupts. There is no libc: memset() is an
# instruction.
$(eval $(call objects_in,$(page_out),clang++-14,--target=wasm32 -mbulk-memory -Os $(FREESTANDING) \
	$(call warnings,clang) -Icore -Iport/template -DTICKWHEEL_HOOKS=1 -Itools/page))

$(page_out)/core.wasm: $(page_out)/core/tickwheel.o $(page_out)/tools/page/page.o
	$(call say,$@)wasm-ld-14 --no-entry --gc-sections --strip-all -z stack-size=8192 $^ -o $@
page_sources := tools/page/assemble.py $(wildcard tools/page/*.html tools/page/*.css tools/page/*.js)
$(page_out)/index.html: $(page_out)/core.wasm $(page_sources)
	@python3 -B tools/page/assemble.py tools/page/page.html $< $@

## make page
##     Builds build/page/index.html, a page on which the wheel runs, compiled to WebAssembly. Open it in a browser. It
##     needs no server and no network.
.PHONY: page
page: $(page_out)/index.html
	@echo $<
