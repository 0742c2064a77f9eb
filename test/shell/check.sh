#!/bin/sh
# SPDX-License-Identifier: MIT
# The shell's scripts, each twice: the output must be that of the file beside this
# one, to the byte, and the exit code 0.
#   QEMU=.. EXACT=.. check.sh <folder of the firmwares> [update]
folder=$1
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0

run() { # geometry, script, speed
    # shellcheck disable=SC2086
    timeout 60 $QEMU $3 -kernel "$folder/$1/shell.elf" <"$2" >"$out/$(basename "$2")" 2>"$out/errors"
}

check() { # geometry, script, speed
    expected=$here/$(basename "$2" .txt).expected
    for time in first second; do
        run "$1" "$2" "$3"
        code=$?
        test "$update" != update || cp "$out/$(basename "$2")" "$expected"
        if test "$code" = 0 && diff -u "$expected" "$out/$(basename "$2")"; then
            passed=$((passed + 1))
        else
            echo "$2, $time time: exit code $code"
            cat "$out/errors"
            failed=$((failed + 1))
        fi
    done
}

update=${2:-}
check 8-6 examples/shell/script.txt "$EXACT"
check 6-4 examples/shell/script_small.txt "$EXACT"

# So slow a core that it fires more than it can print. What it prints depends on every instruction, so only that it
# says how much it left out, and that it judged all.
crowded() {
    run 8-6 "$here/crowded.txt" "$(echo "$EXACT" | sed 's/shift=[0-9]*/shift=7/')"
    test $? = 0 && grep -q '[1-9][0-9]* more fired, too many at once to print' "$out/crowded.txt" &&
        tail -n 1 "$out/crowded.txt" | grep -q '; in a wrong tick: 0; out of order: 0; lost: 0'
}
if crowded; then
    passed=$((passed + 1))
else
    tail -n 20 "$out/crowded.txt" "$out/errors"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
test "$failed" = 0
