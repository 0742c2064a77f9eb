#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzzer that each compiler built. The compilers must agree in every answer of the wheel: the line with the
# digest is the same.
#   compilers.sh DIRECTORY OPS SEED GEOMETRY..; the directory holds COMPILER/GEOMETRY/fuzz
folder=$1
ops=$2
seed=$3
shift 3
passed=0
failed=0
for geometry in "$@"; do
    agreed=
    for fuzz in "$folder"/*/"$geometry"/fuzz; do
        "$fuzz" "$ops" "$seed" >"$fuzz.txt" &
    done
    wait
    for fuzz in "$folder"/*/"$geometry"/fuzz; do
        compiler=${fuzz#"$folder"/}
        said=$(head -n 1 "$fuzz.txt")
        echo "${compiler%%/*}: $said"
        if test "$(tail -n 1 "$fuzz.txt")" = "1 passed, 0 failed" && test "$said" = "${agreed:-$said}"; then
            passed=$((passed + 1))
        else
            echo "FAIL geometry $geometry by ${compiler%%/*}: it failed, or its answers are not those of the other compiler"
            failed=$((failed + 1))
        fi
        agreed=$said
    done
done
echo "$passed passed, $failed failed"
test "$passed" != 0 && test "$failed" = 0
