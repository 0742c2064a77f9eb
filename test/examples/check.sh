#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each example. The output must equal the file beside this one, and the exit code
# must be 0. The output of lowpower depends on the board, and blink never ends: for
# them, this script checks what must hold on every board.
# run_tests.py limits all that this starts.
#   QEMU=.. EXACT=.. check.sh <folder of the firmwares>
folder=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../support/checks.sh"

run() { # example, geometry
    # shellcheck disable=SC2086
    $QEMU $EXACT -kernel "$folder/$2/$1.elf" </dev/null >"$work/printed" && return
    echo "exit code $?"
    tail -n 20 "$work/printed"
    return 1
}

prints_what_is_expected() { # example, geometry
    run "$1" "$2" && diff -u "$here/$1.expected" "$work/printed"
}

# Ten seconds in which timers are due in nine ticks. At most one sleep ends with each of these ticks, one with the
# cascade of each timer, and one with each longest period between. A sleep has two wakes: one at the wrap before it, one
# at its end.
sleeps_from_timer_to_timer() {
    run lowpower 86 || return 1
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
    setsid $QEMU $EXACT -kernel "$folder/86/blink.elf" </dev/null >"$work/printed" &
    while test "$(wc -l <"$work/printed")" -lt 4 && kill -0 $! 2>/dev/null; do
        sleep 0.1
    done
    kill -- -$! 2>/dev/null
    wait
    test "$(head -n 4 "$work/printed" | tr '\n' ,)" = 'led on,led off,led on,led off,'
}

# Not every board has each of them.
has() { # example, geometry
    test -e "$folder/$2/$1.elf"
}

check "demo" prints_what_is_expected demo 86
# In the small wheel timers cascade after fewer ticks of the board. The exit code says whether one was late.
! has demo 64 || check "demo in the small wheel" run demo 64
check "blink" blinks
! has two_cores 86 || check "two_cores" prints_what_is_expected two_cores 86
! has tiny 62 || check "tiny" prints_what_is_expected tiny 62
! has lowpower 86 || check "lowpower" sleeps_from_timer_to_timer
sum_up
