#!/bin/sh
# SPDX-License-Identifier: MIT
# make run, without a terminal: the shell runs its scripts and ends by itself;
# what never ends is watched for three seconds.
#   QEMU=.. EXACT=.. run_unattended.sh <folder of the firmwares> <example>
set -eu
folder=$1
example=$2

if test "$example" != shell; then
    status=0
    timeout 3 $QEMU -kernel "$folder/8-6/$example.elf" </dev/null || status=$?
    test "$status" = 124 || exit "$status"
    echo "($example runs on; stopped after three seconds)"
    exit 0
fi

run() { # geometry, script
    status=0
    timeout 60 $QEMU $EXACT -kernel "$folder/$1/shell.elf" <"examples/shell/$2" || status=$?
    test "$status" != 124 || echo "$2: not finished after 60 seconds"
    return "$status"
}
echo '== The wheel of 256 + 4 x 64 slots: skip goes to shortly before the far ticks, SysTick carries it over.'
run 8-6 script.txt
echo
echo '== The small wheel of 64 + 4 x 16 slots: all levels, and the wrap of jiffies, on SysTick alone.'
run 6-4 script_small.txt
