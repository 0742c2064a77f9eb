#!/bin/sh
# SPDX-License-Identifier: MIT
# Opens wheel.html of a site with test.js in Chromium: open_page.sh SITE FOLDER WIDTH [OPTION]
# No window of Chromium is narrower than 500 pixels, so the page is in a frame.
mkdir -p "$2"
{ sed "s,<meta charset=.*,&<base href=\"file://$(realpath "$1")/\">," "$1/wheel.html" && echo '<script type="module">' &&
    cat "$(dirname "$0")/test.js" && echo '</script>'; } >"$2/wheel.html"
echo "<!DOCTYPE html><body><iframe width=$3 height=900 src=wheel.html>" >"$2/test.html"
chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$2/profile" --window-size=1400,900 \
    --allow-file-access-from-files --virtual-time-budget=300000 $4 \
    --dump-dom "file://$(realpath "$2/test.html")" 2>"$2/log" >"$2/said"
sed -n 's/.*<body[^>]*>//; /^FAIL\|failed$/p' "$2/said"
grep -q ', 0 failed$' "$2/said"
