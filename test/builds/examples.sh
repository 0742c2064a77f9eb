#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each firmware of an example. The output must equal the file beside this one, in each geometry, and the exit code
# must be 0. The output of lowpower depends on the board, and blink never ends: for
# them, this script checks what must hold on every board.
# run_tests.py limits all that this starts.
#   QEMU=.. EXACT=.. examples.sh <firmware>..
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../support/checks.sh"

run() { # firmware
    # shellcheck disable=SC2086
    $QEMU $EXACT -kernel "$1" </dev/null >"$work/printed" && return
    echo "exit code $?"
    tail -n 20 "$work/printed"
    return 1
}

prints_what_is_expected() { # firmware
    run "$1" && diff -u "$here/$(basename "$1" .elf).expected" "$work/printed"
}

# Ten seconds in which timers are due in nine ticks. At most one sleep ends with each of these ticks, one with the
# cascade of each timer, and one with each longest period between. A sleep has two wakes: one at the wrap before it, one
# at its end.
sleeps_from_timer_to_timer() {
    run "$1" || return 1
    awk -F '[ ,()]+' '
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
        }' "$work/printed" && return
    cat "$work/printed"
    return 1
}

# It never ends. The check waits for four lines, which are two seconds of the board's time.
blinks() {
    : >"$work/printed"
    # A group of its own, because QEMU may be the child of a script.
    # shellcheck disable=SC2086
    setsid $QEMU $EXACT -kernel "$1" </dev/null >"$work/printed" &
    while test "$(wc -l <"$work/printed")" -lt 4 && kill -0 $! 2>/dev/null; do
        sleep 0.1
    done
    kill -- -$! 2>/dev/null
    wait
    test "$(head -n 4 "$work/printed" | tr '\n' ,)" = 'led on,led off,led on,led off,'
}

for firmware; do
    case $firmware in
    */blink.elf) check "$firmware" blinks "$firmware" ;;
    */lowpower.elf) check "$firmware" sleeps_from_timer_to_timer "$firmware" ;;
    *) check "$firmware" prints_what_is_expected "$firmware" ;;
    esac
done
sum_up
