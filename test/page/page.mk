# SPDX-License-Identifier: MIT
# tools/page and the site in Chromium. The Makefile of the root includes this file.
page_test_out := build/test-page
in_chromium   := 300 env NODE_PATH=$(page_test_out)/node_modules node test/page

## make test-page
##     Chromium opens the page. A test arms timers, steps and runs, and compares each firing with a sorted list of its own.
##     Another opens each page of the site.
.PHONY: test-page
test-page: site
	@test/run.py --out $(page_test_out)/results "page $(in_chromium)/run.cjs build/page/index.html" "site $(in_chromium)/site.cjs build/site"
