#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each example. The output must equal the file beside this one, and the exit code
# must be 0. The output of lowpower depends on the board, and blink never ends: for
# them, this script checks what must hold on every board.
# run_tests.py limits all that this starts.
#   QEMU=.. EXACT=.. check.sh <folder of the firmwares> [update]
folder=$1
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0

run() { # example, geometry
    # shellcheck disable=SC2086
    $QEMU $EXACT -kernel "$folder/$2/$1.elf" </dev/null >"$out/said" 2>"$out/errors"
}

check() { # example, geometry
    expected=$here/$1.expected
    run "$1" "$2"
    code=$?
    test "$update" != update || test "$code" != 0 || cp "$out/said" "$expected"
    if test "$code" = 0 && diff -u "$expected" "$out/said"; then
        passed=$((passed + 1))
    else
        echo "$1: exit code $code"
        cat "$out/errors"
        failed=$((failed + 1))
    fi
}

update=${2:-}
for example in demo retransmit two_cores; do
    # Only the board with two cores has the last one.
    test ! -e "$folder/8-6/$example.elf" || check $example 8-6
done
# The boards that stand for a small chip have it.
test ! -e "$folder/6-2/tiny.elf" || check tiny 6-2

# In the small wheel timers cascade after fewer ticks of the board. The exit code of the demo says whether one was late.
small_wheel() {
    run demo 6-4
}

# Ten seconds in which timers are due in nine ticks. At most one sleep ends with each of these ticks, one with the
# cascade of each timer, and one with each longest period between. A sleep has two wakes: one at the edge before it, one
# at its end.
lowpower() {
    run lowpower 8-6 && awk -F '[ ,()]+' '
        /^led o(n|ff)$/ { ++switched }
        /^readings / { readings = $2; ticks = $4; us = $6; wakes = $8; restarts = $10 }
        /^\(a period of SysTick reaches [1-9][0-9]* ticks\)$/ { longest = $7 }
        END {
            bound = 0
            split("500 1500 1500 500 2000 500 1500 1500 500", between, " ")
            for (i in between) {
                bound += longest ? 2 * (2 + int(between[i] / longest)) : 0
            }
            exit !(switched == 4 && readings == 5 && ticks == 10000 && us >= 10000000 && us < 10001000 &&
                wakes >= 9 && wakes <= bound && restarts == 0)
        }' "$out/said"
}

# It never ends. The check waits for four lines, which are two seconds of the board's time.
blink() {
    : >"$out/said"
    # A group of its own, because QEMU may be the child of a script.
    # shellcheck disable=SC2086
    setsid $QEMU $EXACT -kernel "$folder/8-6/blink.elf" </dev/null >"$out/said" 2>"$out/errors" &
    while test "$(wc -l <"$out/said")" -lt 4 && kill -0 $! 2>/dev/null; do
        sleep 0.1
    done
    kill -- -$! 2>/dev/null
    wait
    test "$(head -n 4 "$out/said" | tr '\n' ,)" = 'led on,led off,led on,led off,'
}

# A board without SysTick has no lowpower.
for judged in small_wheel $(test ! -e "$folder/8-6/lowpower.elf" || echo lowpower) blink; do
    if $judged; then
        passed=$((passed + 1))
    else
        echo "$judged:"
        tail -n 20 "$out/said" "$out/errors"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
test "$failed" = 0
