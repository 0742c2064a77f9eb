#!/bin/sh
# SPDX-License-Identifier: MIT
# make run, without a terminal: the shell runs its scripts, and an example that has
# one its script; they end by themselves, and print the same in every run. Blink,
# which never ends, is watched for three seconds.
#   QEMU=.. EXACT=.. run_unattended.sh <folder of the firmwares> <example>
set -eu
folder=$1
example=$2

run() { # geometry, script
    script=examples/$example/$2
    test -e "$script" || script=/dev/null
    status=0
    timeout 60 $QEMU $EXACT -kernel "$folder/$1/$example.elf" <"$script" || status=$?
    test "$status" != 124 || echo "$example: not finished after 60 seconds"
    return "$status"
}

case $example in
blink)
    status=0
    timeout 3 $QEMU -kernel "$folder/8-6/blink.elf" </dev/null || status=$?
    test "$status" = 124 || exit "$status"
    echo "(blink runs on; stopped after three seconds)"
    ;;
shell)
    echo '== The wheel of 256 + 4 x 64 slots: skip goes to shortly before the far ticks, SysTick carries it over.'
    run 8-6 script.txt
    echo
    echo '== The small wheel of 64 + 4 x 16 slots: all levels, and the wrap of jiffies, on SysTick alone.'
    run 6-4 script_small.txt
    ;;
*) run 8-6 script.txt ;;
esac
