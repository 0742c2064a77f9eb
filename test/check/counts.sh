#!/bin/sh
# SPDX-License-Identifier: MIT
# A row of counts.txt is the number of lines that match a pattern in some files, so the diff of a commit shows what it deletes.
# Prints each row whose number is wrong. --write writes the numbers.
cd "$(dirname "$0")/../.." || exit 2
set -f
counted=$(while read -r number pattern files; do
    echo "$(git grep -hE -e "$pattern" -- $files | wc -l) $pattern $files"
done <test/check/counts.txt)
if test "${1-}" = --write; then
    echo "$counted" >test/check/counts.txt
else
    echo "$counted" | diff test/check/counts.txt -
fi
