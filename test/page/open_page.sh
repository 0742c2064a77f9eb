#!/bin/sh
# SPDX-License-Identifier: MIT
# Opens a page with test.js in Chromium: open_page.sh PAGE.html FOLDER
mkdir -p "$2"
{ cat "$1" && echo '<script>' && cat "$(dirname "$0")/test.js" && echo '</script>'; } >"$2/test.html"
chromium --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$2/profile" --window-size=500,900 \
    --virtual-time-budget=60000 --dump-dom "file://$(realpath "$2/test.html")" 2>"$2/log" >"$2/said"
sed -n 's/.*<body[^>]*>//; /^FAIL\|failed$/p' "$2/said"
grep -q ', 0 failed$' "$2/said"
