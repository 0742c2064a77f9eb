# SPDX-License-Identifier: MIT
# The page on which the wheel runs. The Makefile of the root includes this file.
page_out := build/page
# The template of a port has a lock that touches no memory. A page has no interrupts. There is no libc: memset() is an
# instruction.
$(eval $(call objects_in,$(page_out),clang++-$(LLVM),--target=wasm32 -mbulk-memory -Os $(FREESTANDING) \
	$(call warnings,clang) -Icore -Iport/template))

$(page_out)/core.wasm: $(page_out)/core/tickwheel.o $(page_out)/tools/page/page.o
	$(call say,$@)wasm-ld-$(LLVM) --no-entry --gc-sections --strip-all -z stack-size=8192 $^ -o $@
# With the core in it the page is one file, so that it works without a server.
$(page_out)/index.html: tools/page/page.html $(page_out)/core.wasm
	@sed "s|{{core}}|$$(base64 -w0 $(word 2,$^))|" $< >$@

## make page
##     Builds build/page/index.html, a page on which the wheel runs, compiled to WebAssembly. Open it in a browser. It
##     needs no server and no network.
.PHONY: page
page: $(page_out)/index.html
	@echo $<
