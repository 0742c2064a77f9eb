# SPDX-License-Identifier: MIT
# tools/page in Chromium. The Makefile of the root includes this file.
page_test_out := build/test-page

## make test-page
##     Chromium opens the page. A test steps, runs, and arms timers by clicks, and computes each slot and firing itself.
.PHONY: test-page
test-page: build/page/index.html
	@test/run_tests.py --out $(page_test_out)/results "page 300 test/page/open_page.sh $< $(page_test_out)"
