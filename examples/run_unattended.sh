#!/bin/sh
# SPDX-License-Identifier: MIT
# `make run` without a terminal. The shell runs its scripts, one for each geometry.
# The examples end by themselves and print the same in every run. Blink never ends:
# this script stops it after three seconds.
#   QEMU=.. EXACT=.. run_unattended.sh <folder of the firmwares> <example>
set -eu
folder=$1
example=$2

run() { # geometry, input
    status=0
    timeout 60 $QEMU $EXACT -kernel "$folder/$1/$example.elf" <"$2" || status=$?
    test "$status" != 124 || echo "$example: not finished after 60 seconds"
    return "$status"
}

case $example in
blink)
    status=0
    timeout 3 $QEMU -kernel "$folder/8-6/blink.elf" </dev/null || status=$?
    test "$status" = 124 || exit "$status"
    echo "(blink never ends; it was stopped after three seconds)"
    ;;
shell)
    echo '== The wheel of 256 + 4 x 64 slots: `skip` jumps close to the far ticks, SysTick makes the rest.'
    run 8-6 examples/shell/script.txt
    echo
    echo '== The small wheel of 64 + 4 x 16 slots: SysTick alone goes through all levels and the wrap of jiffies.'
    run 6-4 examples/shell/script_small.txt
    ;;
*) run 8-6 /dev/null ;;
esac
