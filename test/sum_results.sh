#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds up the results of test programs: each file holds what one printed, with a
# line "N passed, N failed", and its exit code as the last line. Shows in full what
# failed. The last line is the sum.
passed=0
failed=0
for file in "$@"; do
    name=$(basename "$file")
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$file" | tail -n 1)
    code=$(sed -n '$s/^exit code //p' "$file")
    p=${line%% *}
    f=${line#*, }
    f=${f%% *}
    p=${p:-0}
    f=${f:-0}
    # A program that ended badly, or that tested nothing, has failed, whatever it counted.
    if test "$f" = 0 && { test "$code" != 0 || test "$p" = 0; }; then
        f=1
    fi
    test "$f" = 0 || { echo "--- $name"; cat "$file"; }
    echo "$name: $p passed, $f failed"
    passed=$((passed + p))
    failed=$((failed + f))
done
echo "$passed passed, $failed failed"
test "$failed" = 0
