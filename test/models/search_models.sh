#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches all states of each model with Spin. A model must hold, and must fail with
# each -D that its first comment names. In brackets are the patches that break the code so: make mutants shows that a
# test sees each of them.
set -u
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d)
touch "$work/said"
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# $1: whether it is as it must be, $2: what to print.
judge() {
    if test "$1" = yes; then
        passed=$((passed + 1))
        echo "$2"
    else
        failed=$((failed + 1))
        echo "FAIL $2"
        cat "$work/said"
    fi
}

# $1: model, $2: its variant. Prints how many states and errors Spin has found. A search that the limit of memory or of
# depth has cut off ends with status 0 and "errors: 0" all the same.
search() {
    (cd "$work" && rm -f pan* && spin "${2:--DCODE}" -a "$1" >/dev/null &&
        gcc -w -DSAFETY -DBFS -DMEMLIM=2000 -o pan pan.c && ./pan -m100000) >"$work/said" 2>&1
    awk '/errors:/ { errors = $NF } /states, stored/ { states = $1 }
        /Search not completed|max search depth too small/ { cut = 1 }
        END { if (states) print states, cut && errors == 0 ? "incomplete" : errors }' "$work/said"
}

for model in *.pml; do
    # memory_system is the hardware's.
    for name in $(sed -n 's/^\(#define\|inline\|active proctype\|proctype\) \([a-z_]*\)(.*/\2/p' "$model"); do
        test "$name" = memory_system || grep -rq "\b$name(" ../../core/tickwheel ../../core/wheel ../../port/smp ||
            judge no "$model: the code has no $name()"
    done
    for variant in $(sed -n 's/^\/\/   \(-D[A-Z_]*\) .*/\1/p' "$model"); do
        patches=$(sed -n "s/^\/\/   $variant .*\[\(.*\)\]\$/\1/p" "$model")
        test -n "$patches" || judge no "$model: $variant names no patch of the code"
        for patch in $patches; do
            grep -q "^$patch: " ../mutants/patches.txt || judge no "$model: $variant names $patch, which patches.txt has not"
        done
    done
    for variant in '' $(sed -n 's/^\/\/   \(-D[A-Z_]*\) .*/\1/p' "$model"); do
        # States, then errors.
        # shellcheck disable=SC2046,SC2086
        set -- $(search "$PWD/$model" $variant)
        what="$model${variant:+ }$variant: ${1-} states, errors: ${2-}"
        case $variant,${2-} in
        ,0) judge yes "$what" ;;
        -D*,1) judge yes "$what$(sed -n 's/^pan:1: \(.*\) (at depth.*/, refuted: \1/p' "$work/said")" ;;
        *) judge no "$what" ;;
        esac
    done
done
echo "$passed passed, $failed failed"
test "$failed" = 0
