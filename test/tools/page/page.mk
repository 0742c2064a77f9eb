# SPDX-License-Identifier: MIT
# tools/page and the manual in Chromium. The Makefile of the root includes this file.
page_test_out := build/test-page

## make test-page
##     Chromium opens the site of `make site`, wide and as narrow as a phone. A test plays the scenes of the wheel, steps, and
##     arms timers by clicks, and computes each slot and firing itself. It opens each page of the manual.
.PHONY: test-page
test-page: site
	@test/run_tests.py --out $(page_test_out)/results "wide 300 test/tools/page/open_page.sh build/site $(page_test_out)/wide 1280" \
		"narrow 300 test/tools/page/open_page.sh build/site $(page_test_out)/narrow 390 --force-prefers-reduced-motion"
