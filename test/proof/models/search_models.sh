#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches all states of the model with Spin. It must hold, and must fail with each -D that its first comment names.
# In brackets are the patches that break the code so: make mutants shows that a test sees each of them.
set -u
cd "$(dirname "$0")/../../.." || exit 2
work=build/models
. test/support/checks.sh
model=test/proof/models/waits.pml

# $1: its variant. A search that the limit of memory or of depth has cut off ends with status 0 and "errors: 0" too.
search() {
    (cd "$work" && rm -f pan* && spin "$1" -a "$OLDPWD/$model" >/dev/null &&
        gcc -w -DSAFETY -DBFS -DMEMLIM=2000 -o pan pan.c && ./pan -m100000) >"$work/found" 2>&1
    cat "$work/found"
    ! grep -q 'Search not completed\|max search depth too small' "$work/found"
}

holds() {
    search -DCODE && grep -q 'errors: 0$' "$work/found"
}

refuted() { # variant
    search "$1"
    grep -q 'errors: 1$' "$work/found"
}

breaks_the_code() { # variant
    patches=$(sed -n "s/^\/\/   $1 .*\[\(.*\)\]\$/\1/p" $model)
    for patch in ${patches:-none}; do
        grep "^$patch: " test/check/mutants/patches.txt || return
    done
}

for name in $(sed -n 's/^\(#define\|inline\|proctype\) \([a-z_]*\)(.*/\2/p' $model); do
    check "the code has $name()" grep -rq "\b$name(" core/tickwheel core/wheel port/smp
done
check "the model holds" holds
for variant in $(sed -n 's/^\/\/   \(-D[A-Z_]*\) .*/\1/p' $model); do
    check "$variant is refuted" refuted "$variant"
    check "patches.txt has each patch of $variant" breaks_the_code "$variant"
done
sum_up
